import { connect } from 'node:net';

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** The whole request, head and body, of the n-th call. */
  readonly request: (n: number) => string;
  readonly seconds: number;
}
export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** Milliseconds a call, one sample each. */
  readonly latencies: readonly number[];
  readonly failures: number;
}

/** Sends calls over kept-alive connections, one in flight on each, for a while; loopback only. */
export async function load(options: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const state = { sent: 0, failures: 0, until: performance.now() + options.seconds * 1000 };
  const started = performance.now();
  await Promise.all(Array.from({ length: options.connections }, () => runConnection(options, state, latencies)));
  return {
    calls: latencies.length,
    seconds: (performance.now() - started) / 1000,
    latencies,
    failures: state.failures,
  };
}

function runConnection(
  { port, request }: Load,
  state: { sent: number; failures: number; until: number },
  latencies: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let began = 0;
    const next = (): void => {
      if (performance.now() >= state.until) return void socket.end();
      began = performance.now();
      socket.write(request(state.sent++));
    };
    socket.setNoDelay(true).setEncoding('latin1');
    socket
      .on('connect', next)
      .on('error', reject)
      .on('close', () => resolve());
    socket.on('data', chunk => {
      received += chunk.toString();
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1];
      if (length === undefined) return reject(new Error(`answer without a length: ${received.slice(0, head)}`));
      if (received.length < head + 4 + Number(length)) return;
      if (!received.startsWith('HTTP/1.1 200')) state.failures++;
      latencies.push(performance.now() - began);
      received = '';
      next();
    });
  });
}

/** A POST with a JSON body, as an MCP client sends it. */
export function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
    `accept: application/json, text/event-stream\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${extra.join('')}\r\n${body}`
  );
}
