import { defineOp } from '../kernel/op.ts';
import type { PagesDeps } from './deps.ts';
import { sizeFinding } from './page-size.ts';
import { ValidateInput, ValidateOutput } from './schema.ts';
import { validatePage } from './validate.ts';
import { checkedPageId } from './visible.ts';
import { twinFindings, worldOf } from './world.ts';

export const validate = defineOp({
  name: 'validate',
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Check a draft page without writing it: header, links, anchors.',
  input: ValidateInput,
  output: ValidateOutput,
  publishesOutput: true,
  reportsOnly: true,
  async run(deps: Pick<PagesDeps, 'access' | 'catalog' | 'content' | 'index' | 'parse' | 'project'>, ctx, input) {
    const pageId = input.as_page_id ? checkedPageId('validate', 'as_page_id', input.as_page_id) : null;
    const tooLarge = sizeFinding(input.content);
    if (tooLarge) return { ok: false, issues: [tooLarge.issue] };
    const { facts } = deps.project(pageId ?? 'draft.md', input.content);
    const findings = await validatePage(deps.parse(input.content), await worldOf(deps, ctx.principal, facts.scenario));
    if (pageId !== null && !facts.unreadable)
      findings.push(...(await twinFindings(deps, ctx.principal, pageId, facts)));
    const issues = findings.map(({ issue }) => issue);
    return { ok: !issues.some(({ severity }) => severity === 'error'), issues };
  },
});
