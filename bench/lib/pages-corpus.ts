import { samplePage } from './sample-pages.ts';

/** Pages equal in their key `lot`, and edges in and out of the hub. */
export const LOT = 50;
export const EDGES = 50;
/** The hub of the links. */
export const HUB = 'markdown/instances/hub/hub.md';
export const CALLER = 'bench@example.com';

const SKILLS = ['note', 'hub', 'mine'];
const skillText = (id: string): string =>
  [
    '---\ntype: skill',
    `id: ${id}`,
    `description: Pages of the bench.`,
    'required_frontmatter: [title]',
    'optional_frontmatter: [at, status, lot, by]',
    ...(id === 'mine' ? ['visibility: owner', 'owner_field: by'] : []),
    `---\n# ${id}\n`,
  ].join('\n');

export interface CorpusPage {
  readonly pageId: string;
  readonly content: string;
}

/** Every fourth page is for a group that the caller is not in; every eighth belongs to some subject, the caller or another. */
export function corpusPage(n: number): CorpusPage {
  const { pageId, content } = samplePage(n);
  const lot = `lot: lot-${Math.floor(n / LOT)}\n`;
  if (n % 8 === 1) {
    const by = n % 800 === 1 ? CALLER : `person-${n % 997}`;
    return {
      pageId: pageId.replace('/note/', '/mine/'),
      content: content.replace('skill: note', 'skill: mine').replace('status:', `by: ${by}\n${lot}status:`),
    };
  }
  const acl = n % 4 === 0 ? 'acl:\n  read: [staff]\n' : '';
  const hub = n % 4 !== 0 && n < EDGES * 2 ? ' [[hub::hub]]' : '';
  return { pageId, content: content.replace('status:', `${acl}${lot}status:`).replace('See [[', `See${hub} [[`) };
}

/** Skill pages and the hub. */
export function firstPages(): CorpusPage[] {
  const links = Array.from({ length: EDGES }, (_, n) => `- [[note::note-${2 + 4 * n}]]`).join('\n');
  return [
    ...SKILLS.map(id => ({ pageId: `markdown/skills/${id}.md`, content: skillText(id) })),
    { pageId: HUB, content: `---\ntype: instance\nskill: hub\nid: hub\ntitle: Hub\n---\n\n${links}\n` },
  ];
}

/** A page that the caller may read, the n-th of them. */
export const readable = (n: number, count: number): number => {
  const at = (n * 7919) % count;
  return at % 8 === 1 || at % 4 === 0 ? at - (at % 4) + 2 : at;
};
