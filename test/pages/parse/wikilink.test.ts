import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLinkPart, parsePage, parseWikilink } from '../../../src/pages/index.ts';

const NOTHING = { skill: null, id: null, anchor: null, version: null, alias: null };

describe('one link', () => {
  test.each([
    ['[[id]]', { id: 'id' }],
    ['[[skill::id]]', { skill: 'skill', id: 'id' }],
    ['[[skill::id#a]]', { skill: 'skill', id: 'id', anchor: 'a' }],
    ['[[skill::id@v3]]', { skill: 'skill', id: 'id', version: 'v3' }],
    ['[[skill::id|Text]]', { skill: 'skill', id: 'id', alias: 'Text' }],
    [
      '[[skill::id#a@v2|Erika (on-call)]]',
      { skill: 'skill', id: 'id', anchor: 'a', version: 'v2', alias: 'Erika (on-call)' },
    ],
    ['[[skill::id@v1#a]]', { skill: 'skill', id: 'id', anchor: 'a', version: 'v1' }],
    ['[[ skill :: id # a @ v2 | Text ]]', { skill: 'skill', id: 'id', anchor: 'a', version: 'v2', alias: 'Text' }],
    ['[[user@host]]', { id: 'user', version: 'host' }],
    ['[[a::b::c]]', { skill: 'a', id: 'b::c' }],
    ['[[customer::]]', { skill: 'customer' }],
    ['[[::x]]', { id: 'x' }],
    ['[[a::b|]]', { skill: 'a', id: 'b' }],
    ['[[a::b#@|]]', { skill: 'a', id: 'b' }],
    ['[[a::b|c|d#e]]', { skill: 'a', id: 'b', alias: 'c|d#e' }],
    ['[[a#b#c@d@e]]', { id: 'a', anchor: 'b#c', version: 'd@e' }],
    ['[[a@v1#b@c]]', { id: 'a', version: 'v1', anchor: 'b@c' }],
    ['[[a#b::c]]', { id: 'a', anchor: 'b::c' }],
    ['[[page#^block]]', { id: 'page', anchor: '^block' }],
    ['[[note::Meeting: a/b]]', { skill: 'note', id: 'Meeting: a/b' }],
    ['[[AI & ML/Topic#Sec & More]]', { id: 'AI & ML/Topic', anchor: 'Sec & More' }],
  ])('[PG10] %s', (text, parts) => {
    expect(parseWikilink(text)).toEqual({ ...NOTHING, ...parts });
    expect(parsePage(`see ${text}, ok`).links.map(({ link }) => link)).toEqual([{ ...NOTHING, ...parts }]);
  });

  test.each([
    '[[]]',
    '[[ ]]',
    '[[::]]',
    '[[ :: ]]',
    '[[|x]]',
    '[[#a]]',
    '[[@v1]]',
    '[[abc]',
    '[abc]]',
    '[[a\nb]]',
    '[[a\rb]]',
    '[[a[b]]',
    '[[a]b]]',
  ])('[PG11] %j is no link', text => {
    expect(parseWikilink(text)).toBeNull();
    expect(parsePage(`x ${text} x`).links).toEqual([]);
  });

  test('[PG11] a bracket before a link and a backslash change nothing', () => {
    expect(parsePage('[[[a]] \\[[b]] [[c [[d]] [[e]]]').links.map(({ text }) => text)).toEqual([
      '[[a]]',
      '[[b]]',
      '[[d]]',
      '[[e]]',
    ]);
  });

  test('[PG12] brackets are optional, other text is not allowed', () => {
    expect(parseWikilink('acme-corp')).toEqual({ ...NOTHING, id: 'acme-corp' });
    expect(parseWikilink('  [[customer::acme]]\n')).toEqual({ ...NOTHING, skill: 'customer', id: 'acme' });
    expect(parseWikilink('customer::acme#a')).toEqual({ ...NOTHING, skill: 'customer', id: 'acme', anchor: 'a' });
    for (const text of ['see [[a]]', '[[a]] [[b]]', '`[[a]]`', '', '  ', 'a\nb'])
      expect(parseWikilink(text)).toBeNull();
  });

  test('[PG13] titles with structural characters can be linked', () => {
    expect(encodeLinkPart('C# to JSON [v2]')).toBe('C%23 to JSON %5Bv2%5D');
    expect(parseWikilink('[[note::C%23 to JSON %5bv2%5d|50%25 of %7C]]')).toEqual({
      ...NOTHING,
      skill: 'note',
      id: 'C# to JSON [v2]',
      alias: '50% of |',
    });
    expect(encodeLinkPart('Meeting: 100% a/b')).toBe('Meeting: 100% a/b');
    expect(parseWikilink('[[a%20b%2Fc%00]]')!.id).toBe('a%20b%2Fc%00');
  });

  test('[PG13] every one-line part survives writing and reading', () => {
    const part = fc
      .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'#@|[]^%:235AabBdeE7Cc ') }))
      .map(text => text.trim().normalize('NFC'))
      .filter(text => text !== '' && !/[\r\n]/.test(text));
    fc.assert(
      fc.property(part, part, part, part, part, (skill, id, anchor, version, alias) => {
        const [s, i, a, v, t] = [skill, id, anchor, version, alias].map(encodeLinkPart);
        const whole = { skill, id, anchor, version, alias };
        expect(parseWikilink(`[[${s}::${i}#${a}@${v}|${t}]]`)).toEqual(whole);
        expect(parseWikilink(`[[${s}::${i}@${v}#${a}|${t}]]`)).toEqual(whole);
        expect(parseWikilink(`[[${i}]]`)).toEqual({ ...NOTHING, id });
        expect(parsePage(`- [[${s}::${i}]]`.replaceAll('`', '')).links).toHaveLength(1);
      }),
    );
  });

  test('[PG14] both Unicode forms of a name are one target', () => {
    const [composed, decomposed] = ['Größe::Äpfel#Über'.normalize('NFC'), 'Größe::Äpfel#Über'.normalize('NFD')];
    expect(composed).not.toBe(decomposed);
    expect(parseWikilink(decomposed)).toEqual(parseWikilink(composed));
    expect(parsePage(`[[${decomposed}]]`).links[0]!.text).toBe(`[[${decomposed}]]`);
  });
});
