import type { Issue } from './schema.ts';

/** An issue and whether it is one of the few that stop a write (E368). */
export interface Finding {
  readonly issue: Issue;
  readonly blocking: boolean;
}

export function finding(
  severity: Issue['severity'],
  code: string,
  location: string,
  message: string,
  extra: { suggestion?: string; blocking?: boolean } = {},
): Finding {
  const { suggestion, blocking = false } = extra;
  return {
    issue: { severity, code, location, message, ...(suggestion === undefined ? {} : { suggestion }) },
    blocking,
  };
}
