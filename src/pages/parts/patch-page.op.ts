import { Failure } from '../../kernel/failure.ts';
import { sha256 } from '../../kernel/hash.ts';
import { defineOp } from '../../kernel/op.ts';
import type { PagesDeps } from '../deps.ts';
import { mayReadNow } from '../history/past.ts';
import { blockSpans } from '../parse/block-spans.ts';
import { dominantEol, splitHeader } from '../parse/index.ts';
import { UpdatePageOutput, type Issue } from '../schema.ts';
import { refusal } from '../update-guards.ts';
import { checkedPageId } from '../visible.ts';
import { writePage } from '../write-page.ts';
import { isOpenEnded, keepName, patchBody, type PatchAction } from './patch.ts';
import { sectionOf, spanAt } from './ranges.ts';
import { PatchPageInput } from './schema.ts';

const TOOL = 'patch_page';
/** A page that changes elsewhere meanwhile is patched again. */
const ATTEMPTS = 50;

interface Patch {
  readonly anchor: string;
  readonly section?: boolean | undefined;
  readonly action: PatchAction;
  readonly content?: string | undefined;
  readonly expected_sha256: string;
}

export const patchPage = defineOp({
  name: TOOL,
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  scope: 'agent',
  quota: 'writes',
  summary: 'Replace, insert or remove one block or section of a page, guarded by the hash of what stands there.',
  input: PatchPageInput,
  output: UpdatePageOutput,
  publishesOutput: true,
  async run(deps: PagesDeps, ctx, input) {
    const pageId = checkedPageId(TOOL, 'page_id', input.page_id);
    if ((input.content === undefined) !== (input.action === 'remove')) {
      const message = `${TOOL}: content: needed by every action but remove, which takes none`;
      throw new Failure('invalid_params', message, { argument: 'content' });
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const head = await deps.store.head(pageId);
      if (!head || !(await mayReadNow(deps, ctx.principal, pageId))) {
        return refused(refusal('not_found', 'page_id', 'there is no such page'));
      }
      const content = patched(head.content, input);
      if (typeof content !== 'string') return refused(content);
      const guarded = { page_id: pageId, content, base_sha256: head.sha256, message: input.message };
      const answer = await writePage(TOOL, deps, ctx, guarded);
      if (answer.ok || !answer.issues.some(({ code }) => code === 'conflict')) return answer;
    }
    return refused(refusal('conflict', 'page_id', 'the page keeps changing'));
  },
});

const refused = (issue: Issue) => ({ ok: false, issues: [issue] });

/** The whole text with the patch in it, or why it cannot be made. */
function patched(text: string, { anchor, section, action, content, expected_sha256 }: Patch): string | Issue {
  const { body, bodyStart } = splitHeader(text);
  const spans = blockSpans(body);
  const span = spanAt(spans, anchor);
  if (!span) return refusal('anchor_missing', 'anchor', 'the page has no such block');
  const range = section === true ? sectionOf(spans, span) : { from: span.start, to: span.outerEnd };
  const stands = section === true ? body.slice(range.from, range.to) : span.block.content;
  if (sha256(stands) !== expected_sha256) {
    return refusal('conflict', 'expected_sha256', 'something else stands there now: expand the anchor again');
  }
  const first = spans.find(({ start }) => start === range.from) ?? span;
  const whole = section === true || action !== 'replace';
  const named = whole ? (content ?? '') : keepName(body, span, content!.trimEnd());
  const target = whole ? range : { from: span.start, to: span.end };
  if (action !== 'remove' && spans.some(({ start }) => start >= target.to) && isOpenEnded(content!)) {
    return refusal('open_block', 'content', 'it leaves a fence or comment open, which would swallow what follows');
  }
  return text.slice(0, bodyStart) + patchBody(body, first, target, action, named, dominantEol(text));
}
