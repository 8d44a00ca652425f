import type { Probe } from './ports.ts';

const PATIENCE_MS = 2000;

/** Asks every probe at once; a throw or no answer in time counts as down (E695). */
export async function readiness(probes: Readonly<Record<string, Probe>>): Promise<Record<string, boolean>> {
  const asked = Object.entries(probes).map(async ([name, probe]) => [name, await isUp(probe)] as const);
  return Object.fromEntries(await Promise.all(asked));
}

async function isUp(probe: Probe): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([probe(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
