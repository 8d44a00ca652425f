import { everyList, type Token } from '../architecture/tokens.ts';
import { literals } from '../architecture/sql.ts';
import { readTree, targetOf, type Module } from '../architecture/tree.ts';

const SCOPES = 'storage/sqlite/scopes/';
const DECIDE = `${SCOPES}decide.ts`;
const REJECTED = `${SCOPES}rejected-similar.ts`;
const POLICY = 'rules/decisions/policy/';
const POLICY_WRITERS = [`${SCOPES}policy/adopt.ts`, `${SCOPES}policy/retract.ts`];
const PROPOSE = `${SCOPES}insert-proposed.ts`;
const MIGRATIONS = `${SCOPES}migrations/`;

const isDecision = (path: string): boolean =>
  (path.startsWith('rules/decisions/') && !path.startsWith(POLICY)) || path === DECIDE || path === REJECTED;

/** What agents are given: every op of the rules outside the decisions, the storage behind them, and the agents' composition. */
export const agentSide = (modules: readonly Module[]): string[] =>
  modules
    .map(({ path }) => path)
    .filter(
      path =>
        path === 'app/agent.ts' ||
        (path.startsWith('rules/') && !isDecision(path)) ||
        (path.startsWith(SCOPES) && !isDecision(path)),
    );

/** Everything that the given files import, themselves included. */
export function closure(modules: readonly Module[], from: readonly string[]): Set<string> {
  const byPath = new Map(modules.map(module => [module.path, module]));
  const seen = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const module = byPath.get(path);
    if (!module || seen.has(path)) continue;
    seen.add(path);
    for (const edge of module.imports) {
      const target = targetOf(path, edge);
      if (target !== undefined) waiting.push(target);
    }
  }
  return seen;
}

/** AT1: nothing reachable from what agents call reaches a decision. */
export function decisionsInReach(root: string): string[] {
  const modules = readTree(root);
  const entries = agentSide(modules);
  const ops = entries.filter(path => path.endsWith('.op.ts'));
  if (ops.length === 0 || !entries.includes(PROPOSE)) return ['looked at no op that agents call'];
  return [...closure(modules, entries)]
    .filter(isDecision)
    .sort()
    .map(path => `${path} is in reach of agents`);
}

/** AT2: who may import the decisions. */
const IMPORTERS = [
  /^app\/approval\.ts$/,
  /^storage\/sqlite\/scopes\/(decide|rejected-similar)\.ts$/,
  /^rules\/decisions\//,
];
const WRITER_IMPORTERS = [/^app\/approval\.ts$/];

export function importersOfDecisions(root: string): string[] {
  const modules = readTree(root);
  if (!modules.some(({ path }) => isDecision(path))) return ['looked at no decision'];
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap(edge => {
      const target = targetOf(path, edge);
      if (target === undefined || !isDecision(target)) return [];
      const allowed = target === DECIDE || target === REJECTED ? WRITER_IMPORTERS : IMPORTERS;
      return allowed.some(pattern => pattern.test(path)) ? [] : [`${path}:${edge.line} imports ${target}`];
    }),
  );
}

/** AT3: a table, the files that may write to it, and how its name stands in SQL. */
const WRITERS: Readonly<Record<string, (path: string) => boolean>> = {
  rule_version: path => [PROPOSE, DECIDE, ...POLICY_WRITERS].includes(path),
  decision: path => [DECIDE, ...POLICY_WRITERS].includes(path) || path.startsWith(MIGRATIONS),
};
const INSERT = /\b(?:insert(?:\s+or\s+\w+)?|replace)\s+into\s+["'`[]?(\w+|\?)/gi;

export function writesElsewhere(root: string): string[] {
  const modules = readTree(root);
  const found: string[] = [];
  const seen = new Set<string>();
  for (const { path, tokens } of modules) {
    for (const { text, line } of literals(tokens)) {
      for (const [, name] of text.matchAll(INSERT)) {
        const table = name!.toLowerCase();
        seen.add(table);
        if (table === '?' && path.startsWith('storage/'))
          found.push(`${path}:${line} inserts into a table named at run time`);
        if (WRITERS[table] && !WRITERS[table](path)) found.push(`${path}:${line} inserts into ${table}`);
        if (table === 'rule_version' && path === PROPOSE && !proposesOnly(text)) {
          found.push(`${path}:${line} inserts a version that is not plainly proposed`);
        }
      }
      const rejected = /\brejected_fts\b/i.test(text);
      if (rejected && path !== DECIDE && path !== REJECTED && !path.startsWith(MIGRATIONS)) {
        found.push(`${path}:${line} names rejected_fts`);
      }
    }
    if (splitsKeywords(tokens)) found.push(`${path}: puts INSERT together from pieces`);
  }
  const missing = Object.keys(WRITERS).filter(table => !seen.has(table));
  return [...found, ...missing.map(table => `looked at no insert into ${table}`)];
}

/** The status of the version stands in the statement itself. */
const proposesOnly = (sql: string): boolean =>
  /'proposed'/.test(sql) && !/'(confirmed|superseded|rejected)'|[@:$]status/.test(sql);

/** A text that ends in the middle of `INSERT INTO` hides its table from the check above. */
const splitsKeywords = (tokens: readonly Token[]): boolean =>
  everyList(tokens).some(list =>
    list.some(
      token =>
        (token.kind === 'text' || token.kind === 'template') &&
        /\b(?:insert(?:\s+or\s+\w+)?|replace)\s+into\s*$/i.test(token.value),
    ),
  );

/** AT4: names that sound like deciding. */
export const DECIDING = /confirm|reject|revoke|review|decide|approve|archive|revert/;
