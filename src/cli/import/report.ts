import type { Outcome, PageResult } from './execute.ts';
import type { ImportPlan, Mapped } from './model.ts';

const SHOWN = 20;
const OUTCOMES: readonly Outcome[] = ['created', 'unchanged', 'replaced', 'kept', 'differs', 'refused'];

/** What an import did, or would do: `results` is null for a dry run. */
interface ImportReport {
  readonly folder: string;
  readonly plan: ImportPlan;
  readonly results: readonly PageResult[] | null;
}

/** The report as one JSON object with the wire's spelling of names. */
export function jsonReport({ folder, plan, results }: ImportReport): string {
  const report = {
    folder,
    dry_run: results === null,
    summary: { files: plan.mapped.length + plan.unmapped.length, pages: plan.pages.length, ...counts(results) },
    pages:
      results === null
        ? plan.pages.map(({ pageId, from }) => ({ page_id: pageId, from }))
        : results.map(({ pageId, ...rest }) => ({ page_id: pageId, ...rest })),
    skills_created: createdSkills(plan, results),
    mapped: plan.mapped.map(({ pageId, ...rest }) => ({ ...rest, page_id: pageId })),
    unmapped: plan.unmapped,
    clashes: plan.clashes,
    remarks: plan.remarks,
    links: plan.links,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function counts(results: readonly PageResult[] | null): Record<string, number> {
  return Object.fromEntries(
    results === null ? [] : OUTCOMES.map(outcome => [outcome, results.filter(one => one.outcome === outcome).length]),
  );
}

/** Without results, those that would be made up unless the server has them. */
function createdSkills(plan: ImportPlan, results: readonly PageResult[] | null): readonly string[] {
  if (results === null) return plan.skillsCreated;
  const made = new Set(
    results.filter(({ from, outcome }) => from === null && outcome === 'created').map(one => one.pageId),
  );
  const pages = plan.pages.filter(({ from }) => from === null);
  return plan.skillsCreated.filter((_, index) => made.has(pages[index]!.pageId));
}

/** The report for people. Long lists are cut; the JSON report has all of them. */
export function textReport({ folder, plan, results }: ImportReport): string {
  const troubled = (results ?? []).filter(({ outcome }) => outcome === 'differs' || outcome === 'refused');
  const { found, resolved, attachments, unresolved } = plan.links;
  return [
    headline(folder, plan, results),
    ...section('Pages by skill', perSkill(plan.mapped)),
    ...section('Skills made up', createdSkills(plan, results)),
    ...section(
      'Not written',
      troubled.map(({ pageId, outcome, reason }) => `${pageId}: ${outcome}, ${reason ?? ''}`),
    ),
    ...section(
      'Not imported',
      plan.unmapped.map(({ file, reason }) => `${file}: ${reason}`),
    ),
    ...section('Names that could be mixed up', plan.clashes.map(clashLine)),
    ...section(
      'Look at',
      plan.remarks.map(({ file, message }) => `${file}: ${message}`),
    ),
    `Links: ${found} found, ${resolved} lead to a page of this import, ${attachments} to files not imported, ${unresolved.length} to nothing in this folder`,
    ...cut(unresolved.map(({ file, line, link }) => `${file}:${line} ${link}`)),
    '',
  ].join('\n');
}

function headline(folder: string, plan: ImportPlan, results: readonly PageResult[] | null): string {
  const files = `${folder}: ${plan.mapped.length} files become pages, ${plan.unmapped.length} do not`;
  if (results === null) return `${files}\nDry run: ${plan.pages.length} pages planned, nothing written`;
  const said = Object.entries(counts(results)).filter(([, count]) => count > 0);
  return `${files}\nPages: ${said.map(([outcome, count]) => `${count} ${outcome}`).join(', ') || 'none'}`;
}

function perSkill(mapped: readonly Mapped[]): string[] {
  const count = new Map<string, number>();
  for (const { skill } of mapped) count.set(skill, (count.get(skill) ?? 0) + 1);
  return [...count].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([skill, pages]) => `${skill}: ${pages}`);
}

const WHY = {
  'same-name': 'one name, told apart by their ids',
  'same-id': 'one id in their headers, links find the first',
  'look-alike': 'differ in case, spaces or hyphens only',
  'same-path': 'one page id, so the later one got a number',
} as const;

const clashLine = ({ kind, files, ids }: ImportPlan['clashes'][number]): string =>
  `${files.map((file, index) => `${file} → ${ids[index]}`).join(' | ')}: ${WHY[kind]}`;

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...cut(lines)];
}

function cut(lines: readonly string[]): string[] {
  const shown = lines.slice(0, SHOWN).map(line => `  ${line}`);
  return lines.length <= SHOWN ? shown : [...shown, `  … and ${lines.length - SHOWN} more (--json lists all)`];
}
