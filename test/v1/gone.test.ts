import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { agentRules } from '../../src/app/agent-rules.ts';
import type { Rules } from '../../src/app/rules.ts';
import { rulesForAll, world, type World } from '../http/world.ts';
import { world as rulesWorld } from './world.ts';

let w: World;
afterEach(() => w?.stop(0));

/** A surface with one op, which ends with its signal and in no other way. */
async function waiting(): Promise<{ begun: Promise<void>; ended: Promise<void> }> {
  let [begin, end] = [(): void => {}, (): void => {}];
  const begun = new Promise<void>(resolve => (begin = resolve));
  const ended = new Promise<void>(resolve => (end = resolve));
  const untilGone = (_op: string, _input: unknown, signal?: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => {
        reject(signal!.reason);
        end();
      });
      begin();
    });
  const api = [{ name: 'search_rules', summary: 'Search', input: z.object({ text: z.string() }) }];
  w = await world({
    rules: {
      ...rulesForAll,
      access: { ...rulesForAll.access, api, enter: async () => ({ grantId: 'service:7', call: untilGone }) },
    },
  });
  return { begun, ended };
}

test('[VR16] what is asked below /v1 is called off when whoever asked has gone, and is no fault', async () => {
  const { begun, ended } = await waiting();
  const socket = connect(w.address.port, '127.0.0.1');
  const body = JSON.stringify({ text: 'hook' });
  const head = `POST /v1/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  await begun;
  socket.destroy();
  await Promise.all([ended, once(socket, 'close')]);
  await expect
    .poll(() => w.logs.filter(({ msg }) => msg === 'tool.completed'))
    .toMatchObject([
      {
        level: 'info',
        tool: 'search_rules',
        transport: 'rest',
        subject: 'service:7',
        status: 'error',
        code: 'cancelled',
      },
    ]);
  expect(w.logs.filter(({ level }) => level === 'error')).toEqual([]);
});

test('[VR16] the signal reaches the search itself', async () => {
  let rules: Rules | undefined;
  const server = await rulesWorld({ prepareRules: async open => void (rules = open) });
  onTestFinished(server.end);
  const { enter } = agentRules(rules!, '1.2.3').access;
  const caller = await enter({ auth: 'email', identity: 'anna@example.com' });
  const search = { scopes: ['sales'], text: 'hook rails' };
  expect(await caller.call('search_rules', search, new AbortController().signal)).toMatchObject({ status: 200 });
  const gone = new Error('gone');
  await expect(caller.call('search_rules', search, AbortSignal.abort(gone))).rejects.toMatchObject({ cause: gone });
});
