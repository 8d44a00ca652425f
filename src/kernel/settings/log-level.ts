import { good, textKind, type Kind, type Parsed } from './kind.ts';

const LEVELS = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * The level of a log filter as RUST_LOG carries it: directives separated by commas, each a level or `target=level`
 * (N076). The variable is often meant for other programs, so a filter without a level of ours is no fault.
 */
export function logLevel(): Kind<LogLevel> {
  const read = (filter: string): Parsed<LogLevel> => {
    const directives = filter.toLowerCase().split(',');
    const levels = new Set(directives.map(directive => directive.trim().replace(/^(cairn|escurel)=/, '')));
    const found = LEVELS.findLast(level => levels.has(level));
    if (found !== undefined) return good(found === 'off' ? 'silent' : found);
    return { ok: true, value: 'info', remark: 'names no level for this program: info is used' };
  };
  return textKind(LEVELS.join(', '), 'must be a log level', read);
}
