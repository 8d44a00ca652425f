import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DE } from '../../src/http/approval/words/de.ts';
import { EN } from '../../src/http/approval/words/en.ts';
import { decide, mail, FEEDER, proposed } from '../rules/world.ts';
import { HOSTILE, scene, type SceneRule } from './scene.ts';
import { ANNA, SECRET, TOKEN, unescaped, world, type World } from './world.ts';

let here: World;
let ids: Record<SceneRule, string>;
beforeEach(async () => {
  here = await world();
  ids = await scene(here);
});
afterEach(() => here.end());

const rule = async (name: SceneRule, query = ''): Promise<string> =>
  (await here.get(`/approval/rules/${ids[name]}${query}`)).text;
/** What a person reads of a page. */
const read = (html: string): string =>
  unescaped(html.replace(/<\/?(bdi|mark|del|b)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
/** Without the white space that tags have within. */
const flat = (html: string): string =>
  html.replace(/<[^>]*>/g, tag =>
    tag.replace(/\s+/g, ' ').replace(/ (\/?>)$/, (_all, end: string) => (end === '/>' ? ' />' : '>')),
  );
const sections = (html: string): string[] => html.split('<section').slice(1);

describe('the inbox', () => {
  test('[AP40] shows what waits in each scope, the oldest first, with counts', async () => {
    const { text } = await here.get('/approval');
    const [sales, legal] = sections(text) as [string, string];
    const order = [...sales.matchAll(/href="\/approval\/rules\/([\w-]+)"/g)].map(match => match[1]);
    expect(order).toEqual([ids.replacing, ids.meeting, ids.rtl, ids.hostile, ids.own]);
    expect(read(text)).toContain('5 proposals are waiting.');
    expect(read(sales)).toContain('sales 5 waiting');
    expect(read(sales)).toContain('Glas ab 8 mm wird nur noch in der verstärkten Kiste verschickt.');
    expect(read(sales)).toContain(
      `Mail, Jörg Größlich, 4 March 2026 at 08:12 proposed 4 days ago would replace ${ids.old}`,
    );
    expect(read(legal)).toContain(
      'legal 0 waiting 0 confirmed 0 superseded 0 rejected Download everything Nothing waits here.',
    );
  });

  test('[AP40] narrowed by scope and text', async () => {
    const seen = async (query: string): Promise<string[]> => {
      const { status, text } = await here.get(`/approval?${query}`);
      expect(status).toBe(200);
      return [...text.matchAll(/<h3[^>]*><a href="\/approval\/rules\/([\w-]+)"/g)].map(match => match[1]!);
    };
    expect(await seen('scope=sales&text=')).toHaveLength(5);
    expect(await seen('scope=legal')).toEqual([]);
    expect(await seen('text=SCHWEIZ')).toEqual([ids.meeting]);
    expect(await seen('text=+schweiz+')).toEqual([ids.meeting]);
    expect(await seen('text=+')).toHaveLength(5);
    expect(await seen('text=colour+cards+for+free')).toEqual([ids.own]);
    expect(await seen(`text=${encodeURIComponent('موعد التسليم')}`)).toEqual([ids.rtl]);
    expect(await seen(`text=${encodeURIComponent('<script>')}&scope=`)).toEqual([ids.hostile]);
    expect(await seen('text=xyzzy')).toEqual([]);
    const { text } = await here.get('/approval?text=%22%3E%3Cscript%3E&scope=sales');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(text).toContain('<option value="sales" selected>');
    for (const query of [`text=${'x'.repeat(201)}`, 'scope=Sales', 'text=%00']) {
      expect((await here.get(`/approval?${query}`)).status).toBe(400);
    }
  });

  test('[AP40] with more than is shown at once the rest is counted', async () => {
    for (let n = 0; n < 199; n++) await proposed(here.rules, { statement: `Rule number ${n} of a long list` });
    const { text } = await here.get('/approval?scope=sales');
    expect(text.match(/<li class="card"/g)).toHaveLength(200);
    expect(read(text)).toContain('The oldest 200 of 204 are shown.');
  });
});

describe('the page of a rule', () => {
  test('[AP41] the quote is marked in the mail around it', async () => {
    const text = await rule('replacing');
    expect(text).toContain(
      '<mark>Glas ab 8 mm wird nur noch in der verstärkten Kiste verschickt, auch bei kleinen Mengen</mark>. Die alte Regel',
    );
    expect(read(text)).toMatch(/… \d+ characters before Posten \d+: Lager/);
    expect(text).not.toContain('Guten Morgen');
    const whole = await rule('replacing', '?mail=whole');
    for (const part of ['Guten Morgen', 'Posten 1:', '<mark>', 'Mit freundlichen Grüßen'])
      expect(whole).toContain(part);
  });

  test('[AP41] a mail far longer than a page is shown around the quote', async () => {
    const quote = 'the quote that stands in the middle of it all';
    const text = `${'🙂'.repeat(100_000)} ${quote} ${'x'.repeat(200_000)}`;
    await here.rules.do('storeSource', mail({ id: 'mail:<long@example.com>' }, { text }), FEEDER);
    const id = await proposed(here.rules, {
      source: { kind: 'mail', id: 'mail:<long@example.com>', quote, link: null },
    });
    const whole = await here.get(`/approval/rules/${id}?mail=whole`);
    expect(whole.text).toContain(`<mark>${quote}</mark>`);
    expect(whole.text.length).toBeLessThan(450_000);
    expect(whole.text).not.toContain('\ufffd');
    expect(read(whole.text)).toContain('100001 characters after');
    expect(read(whole.text)).toMatch(/The mail is long: \d+ characters around the quote are shown\./);
  });

  test('[AP41] in a meeting it is marked across segments, within two minutes', async () => {
    const text = await rule('meeting');
    expect(text).toContain('wir fest: <mark>ab April liefern wir</mark>');
    expect(text).toContain('<mark>in die Schweiz nur noch mit vollständigen Zollpapieren</mark>.');
    expect(read(text)).toContain('13:15 Unknown speaker');
    expect(read(text)).toContain('At minute 13:10');
    expect(read(text)).toContain('Link https://meet.example.com/7 Link to the quote https://meet.example.com/7?t=790');
  });

  test('[AP41] own words are marked as such', async () => {
    const text = await rule('own');
    expect(read(text)).toContain('No source was checked. We send colour cards for free, twice a year at most.');
    expect(text).not.toContain('<mark>');
  });

  test('[AP42] what is replaced, what is alike, what was rejected alike, and who decided', async () => {
    const text = read(await rule('replacing'));
    expect(text).toContain(
      `What it would replace Now ${ids.old} Confirmed Glas ab 10 mm wird in der verstärkten Kiste verschickt.`,
    );
    expect(text).toContain('Says something alike');
    expect(text).toMatch(
      /Rejected before 1 .* Glas wird gar nicht mehr in Kisten verschickt\. Das hat niemand so gesagt/,
    );
    expect(text).toContain('Prüfbericht Kiste.pdf Prüfbericht der verstärkten Kiste, Falltest aus 1,2 m.');
    expect(text).toContain('foto.heic Its text is not known.');
    expect(text).toContain('Other mails of the thread 1 Verpackung für Glas');
    const decided = read(await rule('decided'));
    expect(decided).toContain(
      'Confirmed by person1@example.com on 16 March 2026 at 11:00 As agreed with the sales team.',
    );
    expect(decided).toContain(
      'Changed: Statement before: Quotes are valid for thirty days unless the offer says otherwise.',
    );
    expect(decided).toContain('Keywords before: offer, validity');
    expect(read(await rule('refused'))).toContain('Rejected by person1@example.com');
  });

  test('[AP42] everything that the digest stands for is there to be read', async () => {
    const text = read(await rule('replacing'));
    for (const part of [
      `${ids.replacing} version 1`,
      'Rule',
      'Glas ab 8 mm wird nur noch in der verstärkten Kiste verschickt.',
      'auch bei kleinen Mengen',
      'mail:<glas@example.com>',
      'Verpackung für Glas – Änderung ab Mai',
      'Jörg Größlich <joerg@example.com>',
      'When 4 March 2026 at 08:12',
      'https://mail.example.com/glas',
      'Said on 4 March 2026 at 08:12',
      'Speaker Jörg Größlich',
      'Product: Glasplatte (art-8) Supplier: Kistenbau Müller & Söhne',
      'Keywords Glas Kiste Verpackung',
      'Holds from 1 May 2026',
      `Replaces ${ids.old}`,
    ]) {
      expect(text).toContain(part);
    }
  });

  test('[AP42] a rule that was replaced leads to the one that replaced it', async () => {
    await decide(here.rules, ids.replacing, { decision: 'confirm', version: 1 });
    const old = await rule('old');
    expect(read(old)).toContain(`Replaced by ${ids.replacing} from 1 May 2026 on`);
    expect(old).toContain(`href="/approval/rules/${ids.replacing}"`);
    expect(old).not.toContain('<form method="post" action="/v1/');
    expect(read(await rule('replacing'))).toContain('What it replaced Before');
  });
});

describe('text of others', () => {
  test('[AP43] is escaped wherever it stands', async () => {
    const pages = [await rule('hostile'), (await here.get('/approval')).text];
    for (const text of pages) {
      expect(text).not.toMatch(/<script|<img|onerror=\w+\(\d\)>\s*</);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;');
    }
    const open = pages[0]!.match(/<bdi>/g)!.length;
    expect(pages[0]!.match(/<\/bdi>/g)).toHaveLength(open);
    expect(open).toBeGreaterThan(8);
  });

  test('[AP43] cannot turn anything around, and shows what it hides', async () => {
    const text = await rule('hostile');
    const outside = flat(text).replace(/<(textarea)\b[\s\S]*?<\/\1>|<input\b[^>]*>/g, '');
    expect(outside).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u00ad]/);
    expect(outside).toContain('<span class="hidden-character">U+202E</span>gnp.exe');
    for (const code of ['U+2066', 'U+200B', 'U+00AD']) expect(outside).toContain(`>${code}</span>`);
    expect(read(text)).toContain('This text holds characters that are invisible or change the reading order.');
    for (const name of ['rtl', 'replacing'] as const) expect(await rule(name)).not.toContain('hidden-character');
    expect(text).toContain(HOSTILE.slice(-8));
  });

  test('[AP43] right-to-left text stands in a block or an isolate of its own', async () => {
    const text = await rule('rtl');
    expect(text).toContain('<h1 dir="auto" class="statement">نطلب تأكيد موعد التسليم كتابيا قبل كل طلب.</h1>');
    expect(text).toContain('<bdi>ليلى</bdi>');
    const bare = text.replace(
      /<bdi>[^<]*<\/bdi>|<(\w+)[^>]*dir="auto"[^>]*>[\s\S]*?<\/\1>|<input[^>]*dir="auto"[^>]*>/g,
      '',
    );
    expect(bare).not.toMatch(/\p{Script=Arabic}/u);
    const speaker = /<input[^>]*name="speaker"[^>]*>/.exec(text)![0];
    expect(speaker).toMatch(/dir="auto"/);
  });

  test('[AP48] links lead out by http alone, and say where', async () => {
    const text = await rule('replacing');
    expect(text).toContain(
      '<a href="https://mail.example.com/glas" rel="noopener noreferrer external" class="outward"><bdi>https://mail.example.com/glas</bdi></a>',
    );
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(match => match[1]!);
    expect(links.filter(link => !/^(\/approval|https:\/\/mail\.example\.com\/|#)/.test(link))).toEqual([]);
  });
});

describe('every page', () => {
  const paths = () => [
    '/approval',
    `/approval/rules/${ids.replacing}`,
    '/approval/login',
    '/approval/nothing',
    '/approval/rules/x',
  ];

  test('[AP44] forbids script, frames and foreign forms, and is not kept', async () => {
    const refused = await here.post(`/v1/rules/${ids.own}/decision`, { csrf: 'x' }, { cookie: here.cookieOf(ANNA) });
    const answers = [...(await Promise.all(paths().map(path => here.get(path)))), refused];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 400, 403]);
    for (const { headers, text } of answers) {
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const tags = text.match(/<[a-z][^>]*>/g)!;
      expect(tags.length).toBeGreaterThan(10);
      expect(tags.join('\n')).not.toMatch(/<script|<iframe|<img|\sstyle=|\son\w+=/i);
    }
  });

  test('[AP45] holds no secret, no session and no token but that of its forms', async () => {
    const cookie = here.cookieOf(ANNA);
    const csrf = await here.csrfOf(ANNA);
    for (const path of paths()) {
      const { text } = await here.ask(path, { headers: { cookie } });
      for (const secret of [SECRET, TOKEN, cookie.split('=')[1]!, cookie.split('.')[1]!])
        expect(text).not.toContain(secret);
    }
    const { text } = await here.get(`/approval/rules/${ids.own}`);
    expect(text.split(csrf)).toHaveLength(4);
    expect(text.replaceAll(`<input type="hidden" name="csrf" value="${csrf}" />`, '')).not.toContain(csrf);
  });

  test('[AP46] names the stylesheet by what is in it', async () => {
    const { text } = await here.get('/approval');
    const path = /<link rel="stylesheet" href="([^"]+)"/.exec(text)![1]!;
    expect(path).toMatch(/^\/approval\/style\.css\?v=[0-9a-f]{16}$/);
    const style = await here.ask(path);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.headers.get('x-content-type-options')).toBe('nosniff');
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await here.ask('/approval/style.css?v=0')).headers.get('cache-control')).toBe('no-cache');
    expect(style.text).not.toMatch(/url\(|@import/);
  });

  test('[AP47] speaks the language that the browser likes best', async () => {
    const spokenTo = async (language: string): Promise<string> =>
      /<html lang="(\w+)">/.exec((await here.get('/approval', ANNA, { 'accept-language': language })).text)![1]!;
    for (const [asked, spoken] of [
      ['de', 'de'],
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['en-US,en;q=0.9,de;q=0.8', 'en'],
      ['fr,de;q=0.5,en;q=0.4', 'de'],
      ['en;q=0,de;q=0.1', 'de'],
      ['fr', 'en'],
      ['*', 'en'],
      ['de,en', 'de'],
      ['en,de', 'en'],
      ['deutsch', 'en'],
      ['de;q=x', 'de'],
      ['', 'en'],
    ] as const) {
      expect([asked, await spokenTo(asked)]).toEqual([asked, spoken]);
    }
    const german = read((await here.get(`/approval/rules/${ids.replacing}`, ANNA, { 'accept-language': 'de' })).text);
    expect(german).toContain('Ihre Entscheidung Bestätigen');
    expect(german).toContain('Gilt ab 1. Mai 2026');
  });

  test('[AP47] both languages have every word, and no word twice by mistake', () => {
    const every = (words: object, path = ''): [string, string][] =>
      Object.entries(words).flatMap(([name, value]) => {
        const at = `${path}.${name}`;
        if (typeof value === 'object') return every(value as object, at);
        const say = value as string | ((...args: unknown[]) => string);
        return typeof say === 'string'
          ? [[at, say]]
          : [1, 2].map((n): [string, string] => [`${at}(${n})`, say(n, n + 1)]);
      });
    const [de, en] = [new Map(every(DE)), new Map(every(EN))];
    expect([...de.keys()]).toEqual([...en.keys()]);
    expect(de.size).toBeGreaterThan(100);
    for (const [key, text] of [...de, ...en]) expect([key, text.trim()]).not.toEqual([key, '']);
    const alike = [...de].filter(([key, text]) => en.get(key) === text).map(([key]) => key);
    expect(alike).toEqual(['.product', '.errorCode']);
  });
});
