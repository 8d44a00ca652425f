import type { IncomingMessage, ServerResponse } from 'node:http';
import { textOf, type Body } from './octets.ts';
import type { BaseHeaders } from './reply.ts';

/** Messages ahead of an answer as server-sent events. It opens with the first; without one there is no stream. */
interface EventStream {
  readonly notify: (message: string) => void;
  /** Ends the stream with the answer; false when none was opened. */
  end(body: Body | undefined): boolean;
}

/** Whether a caller says that answers may come as a stream. */
export const takesStream = (request: IncomingMessage): boolean =>
  /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(request.headers.accept ?? '');

export function eventStream(response: ServerResponse, headers: BaseHeaders): EventStream {
  const write = (message: Body): void => {
    // JSON text holds no line break, so one line of data is the whole message.
    if (!response.destroyed) response.write(`event: message\ndata: ${textOf(message)}\n\n`);
  };
  return {
    notify(message) {
      if (!response.headersSent && !response.destroyed)
        response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      write(message);
    },
    end(body) {
      if (!response.headersSent) return false;
      if (body !== undefined) write(body);
      response.end();
      return true;
    },
  };
}
