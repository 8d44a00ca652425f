export const SKILL_PAGE = `---
type: skill
id: note
description: Notes of the bench.
required_frontmatter: [title]
optional_frontmatter: [at, status]
---
# Note
`;

const WORDS = (
  'sensor label machine customer order spare part delivery firmware belt motor housing seal cleaning shift report ' +
  'Auftrag Etikett Störung Prüfung Wartung Lieferung Ersatzteil Montage Freigabe Angebot Rechnung Termin Maschine'
).split(' ');

/** A page of about 1 KB with a header, three blocks and two links; the n-th is always the same. */
export function samplePage(n: number, salt = 0): { readonly pageId: string; readonly content: string } {
  let state = (n + 1) * 2_654_435_761 + salt * 40_503;
  const word = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[state % WORDS.length]!;
  };
  const sentence = (count: number): string => `${Array.from({ length: count }, word).join(' ')}.`;
  const content = `---
type: instance
skill: note
id: note-${n}
title: "Note ${n}: ${word()} ${word()}"
at: 2026-0${(n % 9) + 1}-1${n % 10}T10:00:00+02:00
status: ${n % 2 === 0 ? 'open' : 'closed'}
---

# Note ${n}

${sentence(45)} See [[note::note-${(n * 7) % 1000}]].

- ${sentence(12)}
- ${sentence(12)} [[note::note-${(n * 13) % 1000}]]

${sentence(40)} BR-${100 + (n % 800)}-${salt}
`;
  return { pageId: `markdown/instances/note/note-${n}.md`, content };
}
