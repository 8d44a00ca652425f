import { request } from 'node:http';
import { isObject } from '../../kernel/json.ts';
import { Stop } from '../exit.ts';
import { dataDirOf, settingsOfProcess } from '../settings.ts';
import { OPS_ROUTES, type OpsRoute } from './routes.ts';
import { trustedSocket } from './trusted-socket.ts';

export interface OpsAnswer {
  readonly ok: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OpsRequest {
  readonly id?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

const PATIENCE_MS = 60_000;

/** Asks the server of this data folder, with the operator's token of this environment. Stops when it cannot be asked. */
export async function askOperator(route: OpsRoute, { id = '', body }: OpsRequest = {}): Promise<OpsAnswer> {
  const token = operatorToken();
  const socketPath = trustedSocket(dataDirOf(process.env));
  const { method, path } = OPS_ROUTES[route];
  const text = body === undefined ? undefined : JSON.stringify(body);
  const { status, received } = await exchange(
    {
      socketPath,
      method,
      path: path.replace(':id', encodeURIComponent(id)),
      headers: {
        authorization: `Bearer ${token}`,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    },
    text,
  );
  return { ok: status < 300, body: objectOf(received, socketPath) };
}

/** From the environment alone: what stands in a command line is seen by everybody on the machine. */
function operatorToken(): string {
  const reading = settingsOfProcess();
  const token = reading.values.get('operator.token');
  if (token !== null) return token;
  const bad = reading.ok ? undefined : reading.refusals.find(({ message }) => message.includes('_OPS_TOKEN'));
  throw bad ? new Stop(bad.code, bad.message) : new Stop('secret-missing', 'CAIRN_OPS_TOKEN is not set');
}

interface Sent {
  readonly socketPath: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

function exchange(about: Sent, text: string | undefined): Promise<{ status: number; received: string }> {
  return new Promise((resolve, reject) => {
    const gone = (why: string): void => reject(new Stop('ops-unreachable', `${about.socketPath}: ${why}`));
    const sent = request({ ...about, agent: false, timeout: PATIENCE_MS }, answer => {
      let received = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 500, received }));
      answer.on('error', ({ message }) => gone(message));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      gone(error.code === 'ECONNREFUSED' ? 'nothing serves it' : error.message),
    );
    sent.end(text);
  });
}

function objectOf(received: string, socketPath: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(received);
    if (isObject(body)) return body;
  } catch {
    // Told below, like any other answer that is not ours.
  }
  throw new Stop('ops-unreachable', `${socketPath} does not answer as this version does`);
}
