import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attempts } from '../../src/http/approval/attempts.ts';
import { decisionOf } from '../../src/http/approval/decision-form.ts';
import { excerptOf } from '../../src/http/approval/pages/excerpt.ts';
import { hidesSomething, inline, marked, outward, shown } from '../../src/http/approval/pages/foreign.ts';
import type { VersionView } from '../../src/http/approval/ports.ts';
import { instantOf, localOf, timesIn } from '../../src/http/approval/times.ts';
import { unescaped } from './world.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const ZONES = ['Europe/Berlin', 'UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'];

describe('text of others', () => {
  const CODE = /<span class="hidden-character"\s*>U\+([0-9A-F]+)<\/span\s*>/g;

  test('[AP43] any text is read as it is, codes put back', () => {
    fc.assert(
      fc.property(anyText, text => {
        const html = String(shown(text)).replace(CODE, (_all, hex: string) => String.fromCodePoint(parseInt(hex, 16)));
        expect(unescaped(html)).toBe(text);
      }),
    );
  });

  test('[AP43] no text opens or closes a tag, and none keeps a character that turns what follows', () => {
    const risky = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '\u202e',
      '\u2067',
      '\u2069',
      '\u200b',
      '\ufeff',
      '\u{e0041}',
      '\u0007',
      'a',
      ' ',
      '\u05d0',
    );
    fc.assert(
      fc.property(fc.string({ unit: risky, maxLength: 30 }), text => {
        const html = String(inline(text));
        const inside = html.slice('<bdi>'.length, -'</bdi>'.length).replace(CODE, '');
        expect(inside).not.toMatch(/[<>"'\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\ufeff\u{e0041}]/u);
      }),
    );
  });

  test('[AP43] what scripts and emoji need stays', () => {
    for (const text of ['می‌خواهم', '👩‍👩‍👧', '❤️', 'א\u200fב', 'Zeile\r\nZeile\t!']) {
      expect(hidesSomething([text])).toBe(false);
      expect(String(shown(text))).not.toContain('hidden-character');
    }
    expect(hidesSomething([null, 'a', 'b\u2028'])).toBe(true);
  });

  test('[AP41] a mark is put around its stretch and nothing else', () => {
    expect(String(marked('a<b>c', { start: 1, end: 4 }))).toBe('a<mark>&lt;b&gt;</mark>c');
    expect(String(marked('abc', { start: 2, end: 2 }))).toBe('abc');
    expect(String(marked('abc', null))).toBe('abc');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'ftp://example.com', ' https://example.com'])(
    '[AP48] %s is no link',
    url => expect(String(outward(url))).not.toContain('<a'),
  );

  test('[AP48] a quote in an address stays in it', () => {
    expect(String(outward('https://example.com/"onmouseover="x'))).toContain(
      'href="https://example.com/&quot;onmouseover=&quot;x"',
    );
  });
});

describe('a part of a mail', () => {
  test('[AP41] is cut out of it, holds the quote, and reaches about as far as asked for', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '🙂', 'ä');
    const piece = (maxLength: number) => fc.string({ unit, maxLength });
    const situation = fc.tuple(piece(600), piece(60), piece(600), fc.nat(400)).map(([before, quote, after, reach]) => ({
      text: before + quote + after,
      mark: { start: before.length, end: before.length + quote.length },
      reach,
    }));
    fc.assert(
      fc.property(situation, ({ text, mark, reach }) => {
        const part = excerptOf(text, mark, reach);
        expect(text.slice(part.before, text.length - part.after)).toBe(part.text);
        expect(part.text.slice(part.mark.start, part.mark.end)).toBe(text.slice(mark.start, mark.end));
        expect(part.mark.start).toBeLessThanOrEqual(reach + 1);
        expect(part.text.length - part.mark.end).toBeLessThanOrEqual(reach);
        const isCut = (at: number): boolean =>
          /[\ud800-\udbff]/.test(text[at - 1] ?? '') && /[\udc00-\udfff]/.test(text[at] ?? '');
        expect([isCut(part.before), isCut(text.length - part.after)]).toEqual([false, false]);
      }),
    );
  });

  test('[AP41] begins and ends with whole lines where lines are short', () => {
    const text = Array.from({ length: 100 }, (_, n) => `line number ${n}`).join('\n');
    const start = text.indexOf('number 50');
    const part = excerptOf(text, { start, end: start + 9 }, 100);
    expect(part.text).toMatch(/^line number \d+\n[\s\S]*\nline number \d+$/);
  });
});

describe('times', () => {
  const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

  test('[AP27] what a form shows of an instant leads back to it, but for the hour that comes twice', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (date, zone) => {
        const instant = date.toISOString();
        const local = localOf(instant, zone);
        expect(local).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{3})?)?$/);
        const back = instantOf(local, zone)!;
        expect(localOf(back, zone)).toBe(local);
        expect(Date.parse(back)).toBeLessThanOrEqual(date.getTime());
        expect(date.getTime() - Date.parse(back)).toBeLessThanOrEqual(86_400_000);
      }),
    );
  });

  test.each([
    ['2026-07-01T12:00', 'Europe/Berlin', '2026-07-01T10:00:00Z'],
    ['2026-01-01T12:00:01.5', 'Europe/Berlin', '2026-01-01T11:00:01.500Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['0044-03-15T12:00', 'UTC', '0044-03-15T12:00:00Z'],
    ['2026-02-30T12:00', 'UTC', undefined],
    ['2026-07-01', 'UTC', undefined],
    ['2026-07-01T12:00Z', 'UTC', undefined],
    ['2026-07-01 12:00', 'UTC', undefined],
    ['', 'UTC', undefined],
  ])('[AP27] %j in %s is %s', (local, zone, instant) => expect(instantOf(local, zone)).toBe(instant));

  test('[AP27] days count in the zone', () => {
    const times = timesIn('Europe/Berlin', 'en', new Date('2026-03-12T22:30:00Z'));
    expect(times.ago('2026-03-12T23:30:00Z')).toBe('today');
    expect(times.ago('2026-03-11T23:30:00Z')).toBe('today');
    expect(times.ago('2026-03-11T22:30:00Z')).toBe('yesterday');
    expect(timesIn('UTC', 'de', new Date('2026-03-12T22:30:00Z')).ago('2026-03-02T23:30:00Z')).toBe('vor 10 Tagen');
  });
});

describe('a form as a decision', () => {
  const seen: VersionView = {
    rule_id: 'sales-0001',
    version: 1,
    kind: 'rule',
    statement: 'One\nTwo',
    source: { kind: 'manual', id: 'manual:person:1', quote: 'x', timestamp_s: null, link: null },
    said_at: '2026-10-25T01:30:00.250Z',
    speaker: null,
    relations: [],
    keywords: ['a, b', 'c'],
    valid_from: '2026-03-12',
    valid_until: null,
    supersedes: null,
    superseded_by: null,
    status: 'proposed',
    reason: 'r',
    changed_by: 'service:1',
    changed_at: '2026-03-12T10:00:00Z',
  };
  const untouched = {
    decision: 'confirm',
    version: '1',
    csrf: 'c',
    shown_sha256: 's',
    statement: 'One\r\nTwo',
    kind: 'rule',
    keywords: 'a, b, c',
    valid_from: '2026-03-12',
    said_at: '2026-10-25T02:30:00.250',
    speaker: '',
    reason: '',
  };
  const of = (fields: Record<string, string>) => decisionOf(new Map(Object.entries(fields)), seen, 'Europe/Berlin');

  test('[AP21, AP27] left alone it changes nothing, whatever browsers make of it', () => {
    expect(of(untouched)).toEqual({ decision: 'confirm', version: 1 });
    expect(of({ ...untouched, said_at: seen.said_at })).toEqual({ decision: 'confirm', version: 1 });
  });

  test('[AP21] one change is one change', () => {
    const changes = {
      statement: ['One\r\nTwo ', 'One\nTwo'],
      kind: ['note', 'note'],
      keywords: [' c ,,a', ['c', 'a']],
      valid_from: ['2026-03-13', '2026-03-13'],
      said_at: ['2026-10-25T03:30', '2026-10-25T02:30:00Z'],
      speaker: ['Ada', 'Ada'],
    } as const;
    for (const [name, [typed, value]] of Object.entries(changes)) {
      expect(of({ ...untouched, [name]: typed })).toEqual({
        decision: 'confirm',
        version: 1,
        change: { [name]: value },
      });
    }
    expect(of({ ...untouched, said_at: 'x' })).toMatchObject({ change: { said_at: 'x' } });
  });
});

describe('attempts', () => {
  test('[AP11] in no minute are there more than allowed', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(20_000)), { maxLength: 80 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (calls, limit) => {
        let now = 0;
        const limited = attempts(limit, () => new Date(now));
        const allowed = new Map<string, number[]>();
        for (const [key, passed] of calls) {
          now += passed;
          const wait = limited.take(key);
          const recent = (allowed.get(key) ?? []).filter(at => now - at < 60_000);
          expect(wait === 0).toBe(recent.length < limit);
          expect(wait).toBe(wait > 0 ? recent[0]! + 60_000 - now : 0);
          if (wait === 0) allowed.set(key, [...(allowed.get(key) ?? []), now]);
        }
      }),
    );
  });

  test('[AP11] many addresses do not fill the memory, and a clock that goes back locks nobody out', () => {
    let now = 1e6;
    const limited = attempts(1, () => new Date(now));
    expect(limited.take('first')).toBe(0);
    for (let n = 0; n < 10_000; n++) limited.take(`address ${n}`);
    expect(limited.take('first')).toBe(0);
    expect(limited.take('address 9999')).toBeGreaterThan(0);
    now -= 1000;
    expect(limited.take('address 9999')).toBe(0);
  });
});
