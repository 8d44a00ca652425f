import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planImport } from '../../src/cli/import/plan.ts';
import { parsePage } from '../../src/pages/index.ts';

const pieces = [
  '---',
  '\n',
  '\r\n',
  '\r',
  '\ufeff',
  '# A',
  'type: skill',
  'id: x',
  '[[a b]]',
  '```',
  ': ',
  '\t',
  'é',
  '\u2028',
  '🜨',
  ' ',
];
const anyBody = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 14 })
  .map(parts => parts.join('').replace(/\0/gu, '').toWellFormed());

const headers = [
  '',
  '\n\n',
  '---\n---\n',
  '---\n# only a remark\n---\n',
  '---\r\ntags: [a, b]\r\n# why\r\nnote: "x: y"\r\n---\r\n',
  '---\ntype: book\nid: 7\nskill: [a]\ntitle: 1984\n---\n',
  '---\n{ flow: true, "type": 3 }\n---\n',
  '---\n  indented: 1\n  id: deep\n---\n',
  '---\ntext: |+\n  kept\n\n\n---\n',
  '---\ntitle: Q3: rollout\nacl: private\n---\n',
  '---\nMuster GmbH\n---\n',
  '---\nnever closed: 1\n',
  '\ufeff---\nid: own\n---\n',
  '---\ntype: instance\nskill: customer\nid: acme\n---\n',
  '---\ntype: skill\nid: customer\n---\n',
  '---\ntype: instance\nid: no-skill\n---\n',
];
const folder = fc.constantFrom(
  '',
  'Projekte/',
  'Projekte/Alt und Neu/',
  'a b/',
  'a_b/',
  'instances/customer/',
  'skills/',
);
const file = fc.record({
  folder,
  name: fc.constantFrom('Note', 'note', 'a b', 'a_b', 'C#', 'Ü', 'U\u0308', 'x', '100%'),
  header: fc.constantFrom(...headers),
  body: anyBody,
});

test('[IM1, IM2, IM9] every file of any tree is a page of its own that holds its body byte for byte, or is reported', () => {
  fc.assert(
    fc.property(fc.uniqueArray(file, { maxLength: 12, selector: one => one.folder + one.name }), files => {
      const sources = files.map(one => ({ ...one, path: `${one.folder}${one.name}.md`, text: one.header + one.body }));
      const plan = planImport(sources);
      const byFile = new Map(plan.pages.map(page => [page.from, page]));
      expect(plan.mapped.length + plan.unmapped.length).toBe(sources.length);
      for (const source of sources) {
        const page = byFile.get(source.path)!;
        const read = parsePage(page.content);
        const kept = plan.mapped.find(one => one.file === source.path)!.header === 'kept';
        expect(read.body.includes(bodyOf(source))).toBe(true);
        expect(kept).toBe(page.content === source.text);
        expect(kept || read.problem === null).toBe(true);
        expect(!saysWhoItIs(source.text) || kept).toBe(true);
      }
      const ids = plan.pages.map(({ pageId }) => pageId.normalize('NFC').toLowerCase());
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 400 },
  );
});

test('[IM1] a header that can be edited in place is added to, nothing else changes', () => {
  const text = '\ufeff---\r\n# my own order\r\ntags: [a, b]   # two\r\n---\r\n\r\nBody\r\n';
  const [, page] = planImport([{ path: 'Note.md', text }]).pages;
  const added = 'type: instance\r\nskill: note\r\nid: Note\r\ntitle: Note\r\n';
  expect(page!.content).toBe(text.replace('# two\r\n', `# two\r\n${added}`));
});

/**
 * The body of a file by its making: what follows a closed header, or the whole text where the header is none or broken.
 * A text without a header of its own may happen to begin with one.
 */
function bodyOf({
  header,
  body,
  text,
}: {
  readonly header: string;
  readonly body: string;
  readonly text: string;
}): string {
  const closed = /---[\r\n]+[^]*---[\r\n]+$/u.test(header);
  const broken = header.includes('Q3: rollout') || header.includes('Muster');
  if (closed && !broken) return body;
  return broken ? text : parsePage(text).body;
}

function saysWhoItIs(text: string): boolean {
  const { problem, frontmatter } = parsePage(text);
  return problem === null && 'id' in frontmatter && (frontmatter['type'] === 'skill' || 'skill' in frontmatter);
}
