import { connect, must } from './agent.ts';

/** Tells what happened, and what was found. */
export type Say = (step: string, found?: string) => void;

export interface StoryServer {
  readonly url: string;
  readonly token: string;
  /** Stops the server and starts it again on the same data folder. */
  restart(): Promise<StoryServer>;
}

const PAGE_ID = 'markdown/instances/meeting/2025-11-05-sensor-rueckblick.md';

const draft = (lesson: string): string => `---
type: instance
skill: meeting
id: 2025-11-05-sensor-rueckblick
title: Rückblick Etikettensensor
at: 2025-11-05T10:00:00+01:00
with: ["[[person::mirjam-oelschlaeger]]", "[[person::annelie-brandauer]]"]
about: ["[[decision::d-2025-03]]"]
---

# Rückblick Etikettensensor

Seit der Umrüstung nach [[decision::d-2025-03]] kein ESC-4012 mehr bei [[customer::sonnleitner-quast]].

${lesson} ^lehre
`;

/**
 * The main job from an agent's side: find a fault by its code, follow the links to the decision behind it, read what that
 * decision rests on, write a page about it, find that page at once, lose a race, and find everything after a restart.
 */
export async function story(first: StoryServer, say: Say): Promise<void> {
  let session = await connect(first);
  const { tools } = await session.client.listTools();
  say('An agent connects over MCP', `${tools.length} tools: ${tools.map(tool => tool.name).join(', ')}`);

  const { skills } = await session.call('list_skills', {});
  const named = (skills as { id: string }[]).map(skill => skill.id);
  say('It asks what kinds of pages there are', `${named.length} skills: ${named.join(', ')}`);

  const { hits } = await session.call('search', { q: 'ESC-4012', skill: 'service_case', granularity: 'page', k: 3 });
  const [hit] = hits as { page_id: string; snippet: string }[];
  must(hit, 'search finds a service case by its error code');
  say('It searches for the error code ESC-4012', `${hit.page_id}: ${hit.snippet.split('\n')[0]}`);

  const found = await session.call('resolve', { wikilink: '[[part::br-220-0471]]' });
  const part = found['page'] as { page_id: string } | null;
  must(part, 'resolve finds the part that the case names');
  const { edges } = await session.call('neighbours', { page_id: part.page_id, direction: 'in', link_skill: 'part' });
  const decisions = (edges as { src_page: string }[])
    .map(edge => edge.src_page)
    .filter(id => id.includes('/decision/'));
  const decision = decisions.find(id => id.endsWith('/d-2024-11.md'));
  must(decision, 'the part is linked from the decision about it');
  say(
    'It follows the links into the part',
    `${(edges as unknown[]).length} links, ${new Set(decisions).size} decisions`,
  );

  const old = await session.call('expand', { page_id: decision });
  const header = old['frontmatter'] as { status: string; superseded_by: string };
  must(header.status === 'ersetzt', 'the first decision says that it was replaced');
  const newer = await session.call('resolve', { wikilink: header.superseded_by });
  const current = newer['page'] as { page_id: string } | null;
  must(current, 'the decision that replaced it resolves');
  const { version: read } = await session.call('expand', { page_id: current.page_id });
  say('It reads the decision, and the one that replaced it', `${decision} → ${current.page_id} (${String(read)})`);

  const text = draft('Zuerst messen, dann Firmware ändern.');
  const checked = await session.call('validate', { content: text, as_page_id: PAGE_ID });
  must(checked['ok'], `the draft is fine: ${JSON.stringify(checked['issues'])}`);
  const written = await session.call('update_page', { page_id: PAGE_ID, content: text, if_absent: true });
  must(written['ok'], `the page is written: ${JSON.stringify(written['issues'])}`);
  say('It writes a page about what was learnt', `${PAGE_ID} ${String(written['new_version'])}`);

  const again = await session.call('search', { q: 'Rückblick Etikettensensor', granularity: 'page' });
  must((again['hits'] as { page_id: string }[])[0]?.page_id === PAGE_ID, 'the new page is found first, at once');
  say('It finds the page at once', 'first hit');

  const base = { page_id: PAGE_ID, base_version: String(written['new_version']) };
  const won = await session.call('update_page', { ...base, content: draft('Erst messen, dann entscheiden.') });
  must(won['ok'], 'the first of two writers wins');
  const late = { ...base, content: draft('Anders.'), require_exact_base: true };
  const lost = await session.refused('update_page', late);
  must(
    lost['ok'] === false && String(lost['head_content']).includes('Erst messen'),
    'the second is told what stands there',
  );
  say(
    'Two writers start from one version, neither wants a merged text',
    `the second gets a conflict with the text of ${String(lost['head_version'])}`,
  );

  await session.client.close();
  session = await connect(await first.restart());
  const after = await session.call('expand', { page_id: PAGE_ID });
  must(after['version'] === won['new_version'], 'after a restart the acknowledged version is there');
  say('The server restarts', `${PAGE_ID} is still ${String(after['version'])}`);
  await session.client.close();
}
