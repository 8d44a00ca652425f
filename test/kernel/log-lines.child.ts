import { logLines } from '../../src/app/log-lines.ts';

/** Logs more lines than a pipe holds and ends in the way that was asked for. */
const [, , end, count] = process.argv;
// Looked at once, standard output no longer waits for its reader by itself.
if (process.stdout.destroyed) throw new Error('no standard output');
const lines = logLines(1);
const rest = 'x'.repeat(200);
const log = (from: number, to: number): void => {
  for (let n = from; n < to; n++) lines.write(`${n} ${rest}\n`);
};
const half = Number(count) / 2;
log(0, half);
setImmediate(() => {
  log(half, half * 2);
  if (end === 'exit') process.exit(0);
  if (end === 'fault') throw new Error('a fault');
  setImmediate(() => process.stderr.write('still here'));
});
