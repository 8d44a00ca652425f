/** The scope a rule id belongs to: the id without its number (contract 4.3). */
export const scopeOf = (ruleId: string): string => ruleId.replace(/-\d{4,}$/, '');

/** `rule/<id>@<version>`: how a version of a rule is cited. */
export const versionRef = (ruleId: string, version: number): string => `rule/${ruleId}@${version}`;

/** Id and version that a rule ref names; the version is missing when the ref names the rule itself. */
export function readRuleRef(ref: string): { readonly id: string; readonly version: number | undefined } {
  const [id = '', version] = ref.slice('rule/'.length).split('@');
  return { id, version: version === undefined ? undefined : Number(version) };
}
