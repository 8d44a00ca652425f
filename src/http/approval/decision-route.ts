import type { ApprovalVerifier } from '../../auth/ports.ts';
import { asFailure, Failure } from '../../kernel/failure.ts';
import { isObject } from '../../kernel/json.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Answers, Asked, Ctx } from './answer.ts';
import { decisionOf } from './decision-form.ts';
import { errorText } from './pages/error-page.ts';
import { loginPath } from './login-routes.ts';
import { rulePath } from './pages/badge.ts';
import { rulePage } from './pages/rule-page.ts';
import type { Approver, RuleView, Status } from './ports.ts';
import { isSameOrigin } from './same-origin.ts';
import { formOf, readSent, type Sent } from './sent.ts';
import { approverIn, visitorOf, type Visitor, type VisitorParts } from './visitors.ts';

export interface DecisionParts extends VisitorParts {
  readonly answers: Answers;
  readonly limit: RateLimit;
  /** Origin of the public URL. */
  readonly home: string;
  readonly zone: string;
}

/** A form that a person can correct: nothing has changed under them. */
const CORRECTABLE: ReadonlySet<string> = new Set(['validation-failed', 'reason-missing', 'reference-unknown']);
/** The forms that the page of a rule has. */
const DECISIONS: Readonly<Record<Status, readonly string[]>> = {
  proposed: ['confirm', 'reject'],
  confirmed: ['review', 'revoke'],
  superseded: [],
  rejected: [],
};
const DIGEST = /^(?:W\/)?"?([0-9a-f]{64})"?$/;

/**
 * POST /v1/rules/:id/decision, for people alone (contract 5.3, 6.4; rules-gaps 8, 15). Who, then whether a page of ours or a
 * script with its token asks, then how often, then what.
 */
export function decisionRoute(parts: DecisionParts): (c: Ctx) => Promise<Response> {
  const { answers } = parts;
  return async c => {
    const kind = formOf(c);
    const ruleId = c.req.param('id')!;
    const as = kind === 'form' || (kind === undefined && wantsPage(c)) ? 'page' : 'json';
    let visitor: Visitor | undefined;
    const asked = (): Asked => ({
      as,
      ruleId,
      person: visitor?.person,
      grantId: visitor?.approver?.grantId,
      signIn: visitor || as === 'json' ? undefined : loginPath(rulePath(ruleId)),
    });
    try {
      visitor = await visitorOf(c, parts);
      const approver = approverIn(visitor);
      const sent = await readSent(c, kind);
      checkCsrf(c, parts, visitor!, sent);
      const wait = parts.limit.take(approver.grantId);
      if (wait > 0) throw new Failure('rate-limited', 'too many decisions', { retry_after_ms: wait });
      if (sent.kind === 'json') return answers.json(await approver.decide(fromJson(c, ruleId, sent.value)));
      return await decideByForm(c, parts, { approver, visitor: visitor!, ruleId, fields: sent.fields, asked });
    } catch (thrown) {
      return answers.refuse(c, placedInBody(asFailure(thrown)), asked());
    }
  };
}

/** The op takes the body as a part of its input; whoever sent it knows places in the body alone. */
function placedInBody(failure: Failure): Failure {
  const { issues } = failure.data;
  if (failure.code !== 'validation-failed' || !Array.isArray(issues)) return failure;
  const placed = (issues as unknown[]).map(issue =>
    isObject(issue) && Array.isArray(issue['path']) && issue['path'][0] === 'body'
      ? { ...issue, path: issue['path'].slice(1) }
      : issue,
  );
  return new Failure(failure.code, failure.message.replace(/^body[.:] ?/, ''), { ...failure.data, issues: placed });
}

function checkCsrf(c: Ctx, parts: DecisionParts & { readonly verifier: ApprovalVerifier }, who: Visitor, sent: Sent) {
  const field = sent.kind === 'form' ? sent.fields.get('csrf') : sent.value['csrf'];
  const given = c.req.header('csrf') ?? (typeof field === 'string' ? field : undefined);
  if (!isSameOrigin(c.req.raw.headers, parts.home) || !parts.verifier.csrfHolds(who.person, given)) {
    throw new Failure('csrf-failed', 'not from a page of this server, or without its token');
  }
}

/** The digest of what was shown comes in the body or as `If-Match`; both at once must agree. */
function fromJson(c: Ctx, id: string, sent: Readonly<Record<string, unknown>>) {
  const { csrf: _csrf, shown_sha256: inBody, ...body } = sent;
  const header = c.req.header('if-match');
  const inHeader = header === undefined ? undefined : (DIGEST.exec(header.trim())?.[1] ?? header);
  if (inBody !== undefined && inHeader !== undefined && inBody !== inHeader) {
    throw new Failure('validation-failed', 'If-Match and shown_sha256 differ');
  }
  const shown = inHeader ?? inBody;
  return { id, body, ...(shown === undefined ? {} : { shown_sha256: shown as string }) };
}

interface FormDecision {
  readonly approver: Approver;
  readonly visitor: Visitor;
  readonly ruleId: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly asked: () => Asked;
}

async function decideByForm(
  c: Ctx,
  { answers, zone }: DecisionParts,
  { approver, visitor, ruleId, fields, asked }: FormDecision,
): Promise<Response> {
  const rule = await approver.show(ruleId);
  try {
    // Every form of ours carries it; one that does not cannot say what its sender looked at.
    const shown = fields.get('shown_sha256') ?? '';
    await approver.decide({ id: ruleId, shown_sha256: shown, body: decisionOf(fields, rule.version, zone) });
    return answers.seeOther(rulePath(ruleId));
  } catch (thrown) {
    const failure = asFailure(thrown);
    if (!canCorrect(failure, rule, fields)) throw failure;
    const frame = answers.frame(c, visitor.person);
    const refused = {
      code: failure.code,
      text: errorText(frame.words, failure.code),
      fields,
      wrong: wrongFields(failure),
    };
    return answers.refuse(c, failure, { ...asked(), page: rulePage(frame, { rule, wholeMail: false, refused }) });
  }
}

const canCorrect = (failure: Failure, { version, shown_sha256 }: RuleView, fields: FormDecision['fields']): boolean =>
  CORRECTABLE.has(failure.code) &&
  DECISIONS[version.status].includes(fields.get('decision') ?? '') &&
  fields.get('shown_sha256') === shown_sha256;

/** Names of the form's fields that a refusal is about. */
function wrongFields({ code, data }: Failure): readonly string[] {
  if (code === 'reason-missing') return ['reason'];
  if (code === 'reference-unknown') return ['supersedes'];
  const issues = Array.isArray(data['issues']) ? (data['issues'] as unknown[]) : [];
  return issues.flatMap(issue => {
    const path = isObject(issue) && Array.isArray(issue['path']) ? issue['path'] : [];
    const [, first, second] = path.map(String);
    return first === undefined ? [] : [first === 'change' && second !== undefined ? second : first];
  });
}

const wantsPage = (c: Ctx): boolean => (c.req.header('accept') ?? '').includes('text/html');
