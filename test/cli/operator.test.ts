import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { CommanderError, type Command } from 'commander';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantCommand } from '../../src/cli/grant.ts';
import { scopeCommand } from '../../src/cli/scope.ts';
import { sha256 } from '../../src/kernel/hash.ts';
import { TOKEN, world, type World } from '../ops-socket/world.ts';
import { run, type Run } from './run.ts';

let here: World;
beforeAll(async () => {
  here = await world();
});
afterAll(() => here.end());

const cairn = (words: string, env: Readonly<Record<string, string>> = {}): Promise<Run> =>
  run(words.split(' '), { CAIRN_DATA_DIR: here.dataDir, CAIRN_OPS_TOKEN: TOKEN, ...env });
/** As the program runs it, without its words. */
function quiet(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  command.commands.forEach(quiet);
  return command;
}
const ADD = 'grant add --scopes sales --rights read';

describe('scopes', () => {
  test('[CL23, CL25] are made and listed', async () => {
    expect(await cairn('scope create legal')).toEqual({ code: 0, stdout: '', stderr: 'scope legal is there now\n' });
    const again = await cairn('scope create legal --json');
    expect({ ...again, stdout: JSON.parse(again.stdout) as unknown }).toEqual({
      code: 0,
      stdout: { scope: 'legal', created: false },
      stderr: '',
    });
    expect(await cairn('scope list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'sales  locked: not-created\nlegal  open                 0 rule versions\n',
    });
    const { scopes } = JSON.parse((await cairn('scope list --json')).stdout) as { scopes: { scope: string }[] };
    expect(scopes.map(({ scope }) => scope)).toEqual(['sales', 'legal']);
  });

  test('[CL23, CL25] that are not configured are refused', async () => {
    const { code, stdout, stderr } = await cairn('scope create elsewhere --json');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^validation-failed: name: elsewhere is not configured; add it/),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ error: 'validation-failed', remedy: expect.any(String) });
  });
});

describe('grants', () => {
  test('[CL24, CL25] a person is let in, renamed, listed and let go', async () => {
    const { code, stdout, stderr } = await cairn(`${ADD},decide --email Ann@Example.org --label Ann`);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'person:1 is let in\n' });
    expect(await cairn('grant rename person:1 Annie')).toMatchObject({ code: 0, stdout: '' });
    expect((await cairn('grant list')).stderr).toBe('person:1  active  ann@example.org  sales  read,decide  Annie\n');
    expect(await cairn('grant rename person:1')).toMatchObject({ code: 0, stderr: 'person:1 has no label\n' });
    expect(await cairn('grant disable person:1')).toMatchObject({ code: 0, stderr: 'person:1 is disabled\n' });
    const { grants } = JSON.parse((await cairn('grant list --json')).stdout) as { grants: unknown[] };
    expect(grants).toMatchObject([{ id: 'person:1', label: null, active: false }]);
    expect(await cairn('grant disable person:9')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'not-found: no such grant\n',
    });
  });

  test('[CL24, CL25] the token of a service is the one thing on stdout, once', async () => {
    const { code, stdout, stderr } = await cairn(`${ADD} --bearer`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^gn_[\w-]{43}\n$/)]);
    expect(stderr).not.toContain(stdout.trim());
    expect(await here.grants.find('bearer', sha256(stdout.trim()))).toMatchObject({
      kind: 'service',
      scopes: ['sales'],
    });
    const json = JSON.parse((await cairn(`${ADD} --bearer --json`)).stdout) as { bearer: string };
    expect(json.bearer).toMatch(/^gn_[\w-]{43}$/);
  });

  test('[CL24] a service comes by common name', async () => {
    const { stdout } = await cairn(`${ADD},propose --common-name feeder --json`);
    expect(JSON.parse(stdout)).toMatchObject({ grant: { auth: 'access-service', identity: 'feeder' }, bearer: null });
  });

  test('[CL26] a label is shown without what a terminal would act upon', async () => {
    await here.grants.add(
      {
        kind: 'person',
        auth: 'email',
        identity: 'bob@example.org',
        scopes: ['sales'],
        rights: ['read'],
        label: 'a\u001b[2J\n\u202eb',
      },
      new Date(),
    );
    const { stderr } = await cairn('grant list');
    expect(stderr).toContain('  a\ufffd[2J\ufffd\ufffdb\n');
  });

  test('[CL25] a usage error ends with 2', async () => {
    expect(await cairn('grant add --scopes sales --rights read')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'error: exactly one of --email, --common-name and --bearer is needed\n',
    });
  });

  test.each([
    'grant add --email a@example.org --scopes sales',
    'grant add --email a@example.org --rights read',
    'grant add --scopes sales --rights read --bearer --email a@example.org',
    'grant add --scopes sales --rights read,admin --bearer',
    'grant add --scopes sales,, --rights read --bearer',
    'grant add --scopes sales --rights read --bearer --token x',
    'grant rename',
    'grant disable',
    'grant confirm person:1',
    'scope create',
    'scope create a b',
  ])('[CL25] %s is one', async words => {
    const [name, ...rest] = words.split(' ');
    const command = quiet(name === 'scope' ? scopeCommand() : grantCommand());
    await expect(command.parseAsync(rest, { from: 'user' })).rejects.toBeInstanceOf(CommanderError);
  });

  test('[CL25] what the server refuses ends with 1', async () => {
    const decide = await cairn('grant add --scopes sales --rights decide --bearer');
    expect(decide).toMatchObject({ code: 1, stdout: '', stderr: 'validation-failed: a service never decides\n' });
  });
});

describe('the token', () => {
  test('[CL20] is asked for by name, and a bad one is not repeated', async () => {
    expect(await run(['scope', 'list'], { CAIRN_DATA_DIR: here.dataDir })).toMatchObject({
      code: 1,
      stderr: 'secret-missing: CAIRN_OPS_TOKEN is not set\n',
    });
    const short = await cairn('scope list', { CAIRN_OPS_TOKEN: 'hush-hush' });
    expect(short).toMatchObject({
      code: 1,
      stderr: 'secret-too-short: CAIRN_OPS_TOKEN must have at least 32 characters\n',
    });
    const wrong = await cairn('scope list', { CAIRN_OPS_TOKEN: 'other-token-of-at-least-32-characters' });
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: 'unauthorized: not the token of the operator\n' });
    expect(await cairn('scope list', { CAIRN_OPS_TOKEN: '', GROUNDNOTE_OPS_TOKEN: TOKEN })).toMatchObject({ code: 0 });
  });

  test('[CL20] no option takes it', () => {
    const commands = [scopeCommand(), grantCommand()].flatMap(group => [group, ...group.commands]);
    expect(commands).toHaveLength(8);
    for (const command of commands) expect(command.helpInformation()).not.toMatch(/--[\w-]*(token|secret|ops)/);
  });
});

describe('a server that is not there', () => {
  test('[CL22] no folder, no socket, or nobody behind it', async () => {
    const missing = await cairn('scope list', { CAIRN_DATA_DIR: `${here.folder}/none` });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ops-unreachable: there is no data folder /),
    });
    await here.stop();
    expect((await cairn('scope list')).stderr).toMatch(
      /^ops-unreachable: nothing serves .*ops\.sock; is the server running/,
    );
    const foreign = createServer((_, response) => response.end('hello')).listen(here.socket);
    await once(foreign, 'listening');
    expect((await cairn('scope list')).stderr).toMatch(/^ops-unreachable: .* does not answer as this version does/);
    foreign.close();
    await once(foreign, 'close');
    writeFileSync(here.socket, '');
    expect((await cairn('scope list')).stderr).toMatch(/^ops-socket-untrusted: .* is no socket/);
    rmSync(here.socket);
  });
});
