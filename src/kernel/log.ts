import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

export interface LogOptions {
  readonly level: string;
  readonly env: string;
  readonly version: string;
  readonly app?: string;
}

/** JSON lines with ts, level, msg, app, env, version (E704). Bodies, tokens and page text never go in. */
export function createLog(options: LogOptions, destination?: DestinationStream): Log {
  const settings = {
    level: options.level,
    base: { app: options.app ?? 'escurel', env: options.env, version: options.version },
    timestamp: () => stdTimeFunctions.isoTime().replace('"time"', '"ts"'),
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['authorization', 'token', 'secret', '*.authorization', '*.token', '*.secret'], censor: '…' },
  };
  return destination ? pino(settings, destination) : pino(settings);
}
