import { execFileSync } from 'node:child_process';
import { startServerProcess, type ServerProcess } from './lib/child.ts';
import { load, post } from './lib/http-load.ts';
import { figure, median, percentile, table } from './lib/stats.ts';

/** Tool calls a second over MCP: Cairn, the SDK's own handler with one trivial tool, and bare node:http. */
const quick = process.argv.includes('--quick');
const CONNECTIONS = 50;
const SECONDS = quick ? 1 : 6;
const ROUNDS = quick ? 1 : 3;
const PAGES = 1000;

const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

interface Figures {
  readonly callsPerCpuSecond: number;
  readonly callsPerSecond: number;
  readonly p50: number;
  readonly p95: number;
}

async function measure(server: ServerProcess, request: (n: number) => string): Promise<Figures> {
  await load({ port: server.port, connections: CONNECTIONS, seconds: quick ? 0.3 : 1.5, request });
  const rounds: Figures[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await server.cpuSeconds();
    const result = await load({ port: server.port, connections: CONNECTIONS, seconds: SECONDS, request });
    const cpu = (await server.cpuSeconds()) - before;
    if (result.failures > 0) throw new Error(`${result.failures} calls failed`);
    rounds.push({
      callsPerCpuSecond: result.calls / cpu,
      callsPerSecond: result.calls / result.seconds,
      p50: median(result.latencies),
      p95: percentile(result.latencies, 0.95),
    });
  }
  return rounds.toSorted((a, b) => a.callsPerCpuSecond - b.callsPerCpuSecond)[Math.floor(rounds.length / 2)]!;
}

execFileSync('npm', ['run', '--silent', 'build'], {
  cwd: new URL('..', import.meta.url),
  stdio: ['ignore', 'ignore', 'inherit'],
});
const cairn = await startServerProcess(new URL('./lib/cairn-server.ts', import.meta.url), [String(PAGES)]);
const headers = { authorization: `Bearer ${String(cairn.hello['token'])}` };
const pageOf = (n: number): string => `markdown/instances/note/note-${n % PAGES}.md`;
const resolve = (n: number): string =>
  post('/mcp', call('resolve', { wikilink: `[[note::note-${n % PAGES}]]` }), headers);
const expand = (n: number): string => post('/mcp', call('expand', { page_id: pageOf(n) }), headers);

const rows: [string, Figures][] = [
  ['cairn resolve', await measure(cairn, resolve)],
  ['cairn expand', await measure(cairn, expand)],
];
const sameBytes = await Promise.all([resolve(1), expand(1)].map(request => bodyOf(cairn.port, request)));
await cairn.stop();

const sdk = await startServerProcess(new URL('./lib/sdk-server.ts', import.meta.url), []);
const trivial = post('/mcp', call('trivial', {}));
rows.push(['SDK handler, one trivial tool', await measure(sdk, () => trivial)]);
await sdk.stop();

for (const [index, name] of ['resolve', 'expand'].entries()) {
  const bare = await startServerProcess(new URL('./lib/bare-server.ts', import.meta.url), [sameBytes[index]!]);
  rows.push([`bare node:http, bytes of ${name}`, await measure(bare, index === 0 ? resolve : expand)]);
  await bare.stop();
}

const [resolved, expanded, peer, bareResolve, bareExpand] = rows.map(([, figures]) => figures);
process.stdout.write(`${CONNECTIONS} connections, ${PAGES} pages, median of ${ROUNDS} rounds of ${SECONDS} s\n\n`);
process.stdout.write(
  `${table([
    ['', 'calls/CPU s', 'calls/s', 'p50 ms', 'p95 ms'],
    ...rows.map(([name, f]) => [name, f.callsPerCpuSecond, f.callsPerSecond, f.p50, f.p95]),
  ])}\n\n`,
);
const ratio = (a: Figures, b: Figures): string =>
  `${figure(a.callsPerCpuSecond / b.callsPerCpuSecond)} a CPU second, ${figure(a.callsPerSecond / b.callsPerSecond)} by the clock`;
process.stdout.write(`resolve / SDK handler: ${ratio(resolved!, peer!)}\n`);
process.stdout.write(`expand / SDK handler:  ${ratio(expanded!, peer!)}\n`);
process.stdout.write(`resolve / bare HTTP:   ${ratio(resolved!, bareResolve!)}\n`);
process.stdout.write(`expand / bare HTTP:    ${ratio(expanded!, bareExpand!)}\n`);

async function bodyOf(port: number, request: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: request.slice(request.indexOf('\r\n\r\n') + 4),
  });
  return answer.text();
}
