import type { ServerResponse } from 'node:http';
import { listen } from '../support/loopback.ts';

export type FrontMode = 'pass' | 'hang' | 'endless' | { readonly status: number; readonly body: string };

/** A server before an issuer's keys that can misbehave. Its address is what the verifier is told to ask. */
export interface KeysFront {
  readonly uri: string;
  mode: FrontMode;
  requests: number;
  /** Answers cut off by the client. */
  cutOff: number;
  stop(): Promise<void>;
}

export async function keysFront(jwksUri: string): Promise<KeysFront> {
  const server = await listen((request, response) => {
    if (request.url === '/elsewhere') return void pass(jwksUri, response);
    front.requests += 1;
    response.on('close', () => {
      if (!response.writableFinished) front.cutOff += 1;
    });
    const { mode } = front;
    if (mode === 'pass') void pass(jwksUri, response);
    else if (mode === 'endless') stream(response);
    else if (mode !== 'hang') response.writeHead(mode.status, { location: '/elsewhere' }).end(mode.body);
  });
  const front: KeysFront = { uri: `${server.origin}/keys`, mode: 'pass', requests: 0, cutOff: 0, stop: server.stop };
  return front;
}

async function pass(jwksUri: string, response: ServerResponse): Promise<void> {
  response.end(await (await fetch(jwksUri)).text());
}

/** Valid JSON as far as it goes, without an end. */
function stream(response: ServerResponse): void {
  response.write('{"keys":[');
  const more = (): void => {
    while (!response.closed && response.write('{"kty":"oct","kid":"x"},'.repeat(1000)));
    if (!response.closed) response.once('drain', more);
  };
  more();
}
