import { connect, must, type Agent, type Payload } from './agent.ts';
import { person, type Person } from './person.ts';
import { EDITED, INVENTED, MAIL, MAIL_ID, NOT_SAID, OVERDRAWN, QUOTED } from './rules-mail.ts';
import type { Say } from './story.ts';

export interface RulesServer {
  readonly url: string;
  /** Bearer of an agent. */
  readonly token: string;
  /** Bearer of a program. */
  readonly api: string;
  /** What a person signs in with. */
  readonly approval: string;
}

interface Bundle {
  readonly head: { readonly ref: string; readonly title: string; readonly date: string; readonly quote: string };
  readonly line: string;
}

const QUESTION = { scopes: ['technik'], text: 'Wann darf ein Update bei der Brauerei Fichtenstein laufen?' };

/**
 * How a quote becomes a rule that a person answers for: a mail arrives, an agent proposes, a person reads, edits and confirms,
 * the agent finds it with its date and source. What no agent may do is tried and refused.
 */
export async function rulesStory(server: RulesServer, say: Say): Promise<void> {
  const { url, token, api } = server;
  await mailArrives(server, say);
  const agent = await connect(server);
  const { scopes } = await agent.call('scopes', {});
  const seen = (scopes as { scope: string; counts: { proposed: number } }[]).map(
    ({ scope, counts }) => `${scope} (${counts.proposed} waiting)`,
  );
  say('An agent asks which scopes it may use', seen.join(', '));

  const { error } = await agent.refused('propose_rule', INVENTED);
  must(error === 'quote-not-found', `a quote that nobody wrote is refused: ${String(error)}`);
  say('It proposes a rule with a quote that nobody wrote', `refused: ${error}`);

  const ruleId = await propose(agent, QUOTED);
  must(
    (await found(agent, QUESTION)).every(({ head }) => !head.ref.includes(ruleId)),
    'no proposal is found as a rule',
  );
  say('It proposes with the words of the mail', `${ruleId} waits; no search finds it yet`);

  const decision = `${url}/v1/rules/${ruleId}/decision`;
  const statuses = [];
  for (const bearer of [token, api]) {
    const answer = await fetch(decision, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'confirm', version: 1 }),
    });
    statuses.push(answer.status);
  }
  must(statuses.join() === '401,401', `no bearer decides: ${statuses.join()}`);
  say('It tries to confirm the rule itself', 'refused with 401, by either bearer');

  const reviewer = person(url);
  const inbox = await signIn(reviewer, server);
  must(inbox.text.includes(ruleId), 'the proposal is in the inbox');
  say('A person signs in on the approval pages', `${ruleId} is in the inbox`);

  await confirm(reviewer, ruleId, say);

  const [hit] = await found(agent, QUESTION);
  must(hit?.head.ref === `rule/${ruleId}@2`, 'the agent finds the rule first');
  must(hit.head.title === EDITED, 'with the words of the person');
  const { source } = hit.head as unknown as { source: { id: string } };
  must(source.id === MAIL_ID && hit.head.date.startsWith('2025-11-12'), 'with the date and the mail');
  say('The agent asks again', `${hit.line} (${source.id})`);

  await reject(agent, reviewer, say);
  await agent.client.close();
}

async function mailArrives({ url, api }: RulesServer, say: Say): Promise<void> {
  const answer = await fetch(`${url}/v1/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api}`, 'content-type': 'application/json' },
    body: JSON.stringify(MAIL),
  });
  must(answer.status === 201, `the mail is stored: ${answer.status} ${await answer.text()}`);
  say('A mail arrives', `${MAIL.source.title}, from ${MAIL.source.sender}`);
}

async function propose(agent: Agent, proposal: Record<string, unknown>): Promise<string> {
  const { ref, approval_url: where } = await agent.call('propose_rule', proposal);
  const ruleId = String(ref).replace(/^rule\/(.*)@1$/, '$1');
  must(String(where).endsWith(`/approval/rules/${ruleId}`), 'the agent learns where a person decides');
  return ruleId;
}

const found = async (agent: Agent, question: Payload): Promise<readonly Bundle[]> =>
  (await agent.call('search_rules', question))['bundles'] as readonly Bundle[];

async function signIn(somebody: Person, { approval, token }: RulesServer) {
  const door = await somebody.visit('/approval');
  must(door.path.startsWith('/approval/login'), 'the approval pages ask who it is');
  const wrong = await somebody.send(door, 'action="/approval/login"', { token });
  must(wrong.status === 401, 'an agent’s bearer signs nobody in');
  return somebody.send(wrong, 'action="/approval/login"', { token: approval });
}

async function confirm(somebody: Person, ruleId: string, say: Say): Promise<void> {
  const path = `/approval/rules/${ruleId}`;
  const shown = await somebody.visit(path);
  const marked = [...shown.html.matchAll(/<mark[^>]*>([\s\S]*?)<\/mark>/g)].map(([, text]) => text).join(' ');
  must(marked.startsWith('Updates bitte künftig nur nachts'), `the quote is marked: ${marked}`);
  must(shown.text.includes('Die Zeichnung der 0,33-l-Flasche'), 'in the middle of the mail');
  say('The person reads the quote in its mail', `marked: „${marked}“`);

  const anotherTab = await somebody.visit(path);
  const confirmed = await somebody.send(shown, 'id="confirm"', {
    statement: EDITED,
    reason: 'Mit Anlage und Bedingung.',
  });
  must(confirmed.status === 200 && confirmed.text.includes(EDITED), 'the page shows the rule as it was confirmed');
  say('The person edits the statement and confirms', EDITED);

  const stale = await somebody.send(anotherTab, 'id="reject"', { reason: 'Doch nicht.' });
  must(stale.status === 409, `a form that shows what was is refused: ${stale.status}`);
  say('A second tab still shows the proposal; its form is sent', 'refused with 409: the rule has changed since');
}

async function reject(agent: Agent, somebody: Person, say: Say): Promise<void> {
  const ruleId = await propose(agent, OVERDRAWN);
  const shown = await somebody.visit(`/approval/rules/${ruleId}`);
  const rejected = await somebody.send(shown, 'id="reject"', { reason: NOT_SAID });
  must(rejected.status === 200 && rejected.text.includes(NOT_SAID), 'the page shows why');
  say('The agent concludes too much, the person rejects it', NOT_SAID);

  const { error } = await agent.refused('read_rule', { ref: `rule/${ruleId}` });
  const asked = { scopes: ['technik'], text: OVERDRAWN.statement, include_proposals: true };
  const hits = await found(agent, asked);
  const { proposals } = await agent.call('list_proposals', { scope: 'technik' });
  must(error === 'not-found', `the agent cannot read it: ${String(error)}`);
  must(!JSON.stringify([hits, proposals]).includes(ruleId), 'the agent finds it nowhere');
  say('The agent looks for the rejected rule', 'not read, not found, not listed');
}
