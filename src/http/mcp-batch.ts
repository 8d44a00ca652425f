import { Failure } from '../kernel/failure.ts';
import { isObject } from '../kernel/json.ts';
import { failureText } from './json-rpc.ts';
import type { McpCall, McpReply, McpServer } from './mcp.ts';
import { textOf } from './octets.ts';

const MAX_MESSAGES = 100;
/** The one revision with batches. Clients that name no revision are taken for it, as it tells servers to. */
const BATCHES_IN = '2025-03-26';

/**
 * Answers an array of messages one after the other, or refuses it whole: nothing is processed by half (M13). The status
 * is that of the replies when they agree, else 200; an array of notifications is answered 202.
 */
export async function answerBatch(messages: readonly unknown[], call: McpCall, server: McpServer): Promise<McpReply> {
  const refusal = problemOf(messages, call.headers.version);
  if (refusal) return { status: 200, body: failureText(null, new Failure('invalid_request', refusal)) };
  const replies: McpReply[] = [];
  for (const message of messages) replies.push(await server(message, call));
  const told = replies.filter(reply => reply.body !== undefined);
  if (told.length === 0) return { status: replies[0]!.status };
  const [first] = told;
  const wait = Math.max(0, ...told.map(reply => reply.retryAfterMs ?? 0));
  return {
    status: told.every(reply => reply.status === first!.status) ? first!.status : 200,
    body: `[${told.map(reply => textOf(reply.body!)).join(',')}]`,
    ...(wait > 0 ? { retryAfterMs: wait } : {}),
  };
}

function problemOf(messages: readonly unknown[], version: string | undefined): string | undefined {
  if (version !== undefined && version !== BATCHES_IN) return `batches: not in the revision ${version.slice(0, 32)}`;
  if (messages.length === 0) return 'batches: empty';
  if (messages.length > MAX_MESSAGES) return `batches: more than ${MAX_MESSAGES} messages`;
  if (messages.some(message => isObject(message) && message['method'] === 'initialize'))
    return 'batches: initialize comes alone';
  return undefined;
}
