import { UNTESTABLE } from './scenarios.ts';
import type { Check } from './suite.ts';

/** What is wrong with the outcome of a scenario, one line a fault; a scenario that checked nothing is one. */
export function faultsOf(scenario: string, checks: readonly Check[]): string[] {
  const excused = UNTESTABLE[scenario] ?? {};
  const faults = checks
    .filter(check => ['FAILURE', 'WARNING'].includes(check.status) && !(check.id in excused))
    .map(check => `${check.id}: ${check.errorMessage ?? check.status}`);
  const outdated = checks
    .filter(check => check.status === 'SUCCESS' && check.id in excused)
    .map(check => `${check.id} passes: no excuse needed`);
  return [...faults, ...outdated, ...(checks.length === 0 ? ['nothing was checked'] : [])];
}
