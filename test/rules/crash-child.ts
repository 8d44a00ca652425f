import { decide, FEEDER, mail, meeting, proposal, world } from './world.ts';

/**
 * Does one thing on a data folder and ends itself without warning right before statement number `at` of it, counted over
 * all files; prints the statements when `at` is beyond the last.
 */
const [, , folder, what, at] = process.argv;
const heard: string[] = [];
let armed = false;
const here = world({
  folder: folder!,
  trace(sql) {
    if (!armed) return;
    if (heard.length === Number(at)) process.kill(process.pid, 'SIGKILL');
    heard.push(sql.trim().split('\n')[0]!);
  },
});

const actions: Record<string, () => Promise<unknown>> = {
  source: () =>
    here.do('storeSource', mail({ id: 'mail:<new@example.com>' }, { attachments: [attachment, attachment] }), FEEDER),
  meeting: () => here.do('storeSource', meeting(), FEEDER),
  propose: () => here.do('proposeRule', proposal({ source: { kind: 'manual', quote: 'mine', link: null } }), FEEDER),
  confirm: () => decide(here, 'sales-0002', { decision: 'confirm', version: 1 }),
  reject: () => decide(here, 'sales-0002', { decision: 'reject', version: 1, reason: 'no' }),
  revoke: () =>
    decide(here, 'sales-0001', { decision: 'revoke', version: 2, reason: 'gone', valid_until: '2026-06-01' }),
  review: () => decide(here, 'sales-0001', { decision: 'review', version: 2, change: { keywords: ['rails'] } }),
  create: async () => here.files.create('legal'),
};
const attachment = { filename: 'a', media_type: 'text/plain', size: 1, external: null, text: 'x', text_origin: 'ocr' };

if (what !== 'create') here.files.open('sales');
armed = true;
await actions[what!]!();
armed = false;
process.stdout.write(JSON.stringify(heard));
