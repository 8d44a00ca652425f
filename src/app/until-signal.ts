/** Resolves with the first SIGINT or SIGTERM; a second one ends the process at once, as people expect of Ctrl-C. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise(resolve => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const heard = (signal: NodeJS.Signals): void => {
      for (const each of signals) {
        process.off(each, heard);
        process.once(each, () => process.exit(130));
      }
      resolve(signal);
    };
    for (const each of signals) process.on(each, heard);
  });
}
