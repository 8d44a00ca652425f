import type { RuleVersion } from '../model.ts';

const NEVER = '9999-12-31';

/** Whether a confirmed or superseded version holds on a day; days alone decide (contract 7.5). */
export const inForce = (
  { validFrom, validUntil }: Pick<RuleVersion, 'validFrom' | 'validUntil'>,
  day: string,
): boolean => validFrom <= day && day < (validUntil ?? NEVER);
