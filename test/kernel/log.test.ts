import { describe, expect, test } from 'vitest';
import { createLog, type Log, type LogOptions } from '../../src/kernel/log.ts';

/** The lines that `write` leaves in the log. */
function linesOf(write: (log: Log) => void, options: Partial<LogOptions> = {}): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = createLog(
    { level: 'info', env: 'prod', version: '1.2.3', ...options },
    { write: line => void lines.push(line) },
  );
  write(log);
  return lines.map(line => JSON.parse(line) as Record<string, unknown>);
}

describe('log lines', () => {
  test('[KE6] are JSON with the stated fields', () => {
    const call = {
      tenant: 'acme',
      tool: 'search',
      transport: 'mcp_http',
      subject: 'ann',
      status: 'ok',
      duration_ms: 3,
      request_id: 'r',
      trace_id: 't',
    };
    const [line] = linesOf(log => log.info(call, 'tool.completed'));
    const { ts, ...rest } = line!;
    expect(rest).toEqual({
      level: 'info',
      msg: 'tool.completed',
      app: 'escurel',
      env: 'prod',
      version: '1.2.3',
      ...call,
    });
    expect(ts).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('[KE6] carry the name they are given, and only what their level lets through', () => {
    const lines = linesOf(
      log => {
        log.info('quiet');
        log.warn('loud');
      },
      { level: 'warn', app: 'cairn' },
    );
    expect(lines).toMatchObject([{ app: 'cairn', level: 'warn', msg: 'loud' }]);
    expect(linesOf(log => log.fatal('x'), { level: 'silent' })).toEqual([]);
  });

  test.each(['authorization', 'token', 'secret'])('[KE7] %s is hidden', name => {
    const lines = linesOf(log => {
      log.info({ [name]: 'hush-hush' }, 'top');
      log.warn({ request: { [name]: 'hush-hush', path: '/mcp' } }, 'below');
      log.child({ [name]: 'hush-hush' }).error('bound');
    });
    expect(JSON.stringify(lines)).not.toContain('hush-hush');
    expect(lines[1]).toMatchObject({ request: { [name]: '…', path: '/mcp' } });
  });
});
