import { Failure } from '../../kernel/failure.ts';
import { isObject } from '../../kernel/json.ts';
import type { RuleReader, SourceReader } from '../ports.ts';
import { scopeOf, versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { decisionOut } from '../version-out.ts';
import { decide, replaces } from './decide.ts';
import type { DecisionWriter } from './ports.ts';
import { DecideInput, Decided } from './schema.ts';

export interface DecideDeps {
  readonly decisions: DecisionWriter;
  readonly rules: Pick<RuleReader, 'find'>;
  readonly sources: Pick<SourceReader, 'facts'>;
}

const EVIDENCE = ['source', 'quote', 'timestamp_s', 'source_link', 'link'] as const;
/** Each failed attempt means that another decision was committed in between; the next look then refuses by itself. */
const MAX_ATTEMPTS = 3;

/** A person confirms or rejects a proposal, revokes or reviews a confirmed rule (contract 6.4). */
export const decideRule = defineRuleOp({
  name: 'decide',
  surface: 'approval',
  effect: 'write',
  right: 'decide',
  logs: 'decide',
  summary: 'Confirm or reject a proposal, revoke or review a confirmed rule.',
  input: DecideInput,
  output: Decided,
  before(raw) {
    const body = isObject(raw) ? raw['body'] : undefined;
    if (!isObject(body)) return;
    const { change, decision, reason } = body;
    if (isObject(change) && EVIDENCE.some(key => key in change)) {
      throw new Failure('source-immutable', 'the source and its quote never change');
    }
    const needed = decision === 'reject' || decision === 'revoke';
    if (needed && (typeof reason !== 'string' || reason.trim() === '')) {
      throw new Failure('reason-missing', 'say why');
    }
  },
  touches({ id, body }) {
    const supersedes = body.decision === 'confirm' ? body.change?.supersedes : undefined;
    return { scopes: [scopeOf(id)], named: supersedes ? [scopeOf(supersedes)] : [] };
  },
  async run({ decisions, rules, sources }: DecideDeps, ctx, { id, shown_sha256: shown, body }) {
    const scope = scopeOf(id);
    const { id: by, identity } = ctx.grant;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const current = (await rules.find(scope, id))?.current;
      if (!current) throw new Failure('not-found', 'no such rule');
      const source = (await sources.facts(scope, current.sourceId))!;
      const named = replaces(current, body);
      const predecessor = named !== null && scopeOf(named) === scope ? await rules.find(scope, named) : undefined;
      const at = ctx.now().toISOString();
      const situation = { current, source, predecessor: predecessor?.current };
      const plan = decide(situation, body, shown, { by, identity, at });
      const { version, status } = plan.version ?? current;
      const ref = versionRef(id, version);
      const replaced = plan.superseded ? [versionRef(plan.superseded.ruleId, plan.superseded.version)] : [];
      if (!(await decisions.decide(scope, plan, ctx.logRow(200, [ref, ...replaced])))) continue;
      return { status: 200, output: { ref, status, decision: decisionOut(plan.decision) }, log: [] };
    }
    throw new Error(`rule ${id} kept changing`);
  },
});
