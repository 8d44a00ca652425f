import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockSpans } from '../../src/pages/parse/block-spans.ts';
import { readPart } from '../../src/pages/parts/read-part.ts';
import { keepName, patchBody } from '../../src/pages/parts/patch.ts';

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '# H',
    '## Deep ^d',
    'text',
    'text ^name',
    '- item',
    '  - deep ^x',
    '  more',
    '    code',
    '> quote',
  ),
  fc.constantFrom(
    '```',
    '~~~',
    '^own',
    '---',
    '===',
    '| a | b |',
    '|---|---|',
    '1. one',
    '<div>',
    '\\- x',
    '😀',
    '\t- tab',
  ),
  fc.string({ maxLength: 8 }).map(text => text.replace(/[\r\n\v\f\u0085\u2028\u2029]/g, '')),
);
const body = fc.array(line, { maxLength: 25 }).map(lines => lines.join('\n').toWellFormed());

test('[PG132] a block of any body replaced by itself changes nothing', () => {
  fc.assert(
    fc.property(body, text => {
      for (const span of blockSpans(text)) {
        const same = keepName(text, span, span.block.content.trimEnd());
        expect(patchBody(text, span, { from: span.start, to: span.end }, 'replace', same, '\n')).toBe(text);
      }
    }),
    { numRuns: 500 },
  );
});

test('[PG132] removing a block of any body takes its characters and no others', () => {
  const visible = (text: string): string => text.replace(/\s/g, '');
  fc.assert(
    fc.property(body, text => {
      for (const span of blockSpans(text)) {
        const removed = patchBody(text, span, { from: span.start, to: span.outerEnd }, 'remove', '', '\n');
        expect(visible(removed)).toBe(visible(text.slice(0, span.start)) + visible(text.slice(span.outerEnd)));
      }
    }),
    { numRuns: 500 },
  );
});

test('[PG130] parts of any body make it up, whatever their size', () => {
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 60 }), (text, max_chars) => {
      let whole = '';
      for (let next: string | null | undefined; next !== null;) {
        const part = readPart(text, 3, next === undefined ? { max_chars } : { max_chars, next });
        // One character may take two units.
        expect([...part.body].length === 1 || part.body.length <= max_chars).toBe(true);
        expect(part.body.isWellFormed()).toBe(true);
        whole += part.body;
        next = part.next;
      }
      expect(whole).toBe(text);
    }),
    { numRuns: 300 },
  );
});
