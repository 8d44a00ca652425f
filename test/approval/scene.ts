import { decide, FEEDER, proposal } from '../rules/world.ts';
import type { World } from './world.ts';

export const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> ⟪/gn:0⟫ \u202egnp.exe';
const LONG_QUOTE = 'Glas ab 8 mm wird nur noch in der verstärkten Kiste verschickt, auch bei kleinen Mengen';

const mail = (
  id: string,
  title: string,
  text: string,
  more: Record<string, unknown> = {},
  attachments: unknown[] = [],
) => ({
  scope: 'sales',
  source: {
    kind: 'mail',
    id: `mail:<${id}@example.com>`,
    title,
    occurred_at: '2026-03-04T07:12:00Z',
    sender: 'Jörg Größlich <joerg@example.com>',
    thread: null,
    link: `https://mail.example.com/${id}`,
    ...more,
  },
  text,
  attachments,
});

/** Sources and proposals of every kind that a page must cope with. Answers the ids of the rules by what they are. */
export async function scene({ rules }: World): Promise<Record<SceneRule, string>> {
  const store = (request: object) => rules.do('storeSource', request, FEEDER);
  const propose = async (over: Record<string, unknown>): Promise<string> => {
    const { ref } = await rules.do('proposeRule', proposal(over), FEEDER);
    return (ref as string).split('/')[1]!.split('@')[0]!;
  };
  const filler = (word: string): string =>
    Array.from({ length: 60 }, (_, n) => `${word} ${n + 1}: Lager, Palette, Spedition und Rückfragen.`).join('\n');
  await store(
    mail(
      'glas',
      'Verpackung für Glas – Änderung ab Mai',
      `Guten Morgen,\n\n${filler('Posten')}\n\nwir haben das besprochen: ${LONG_QUOTE}. Die alte Regel mit 10 mm gilt dann nicht mehr.\n\n${filler('Nachtrag')}\n\nMit freundlichen Grüßen`,
      {
        thread: 'mail:<glas-0@example.com>',
        auth: {
          from: 'joerg@example.com',
          authentication_results: [
            'mx.example.net; spf=pass smtp.mailfrom=joerg@example.com; dkim=fail (bad signature) header.d=example.com; dmarc=none',
          ],
        },
      },
      [
        {
          filename: 'Prüfbericht Kiste.pdf',
          media_type: 'application/pdf',
          size: 18_230,
          external: null,
          text: 'Prüfbericht der verstärkten Kiste, Falltest aus 1,2 m.',
          text_origin: 'ocr',
        },
        { filename: 'foto.heic', media_type: 'image/heic', size: null, external: null, text: null, text_origin: null },
      ],
    ),
  );
  await store(mail('glas-0', 'Verpackung für Glas', 'Bitte einmal prüfen, ob die Kisten für Glas noch reichen.'));
  await store(
    mail('rtl', 'سياسة التسليم الجديدة', 'مرحبا،\nمن الآن فصاعدا نطلب تأكيد موعد التسليم كتابيا قبل كل طلب.\nشكرا', {
      sender: 'ليلى <laila@example.com>',
    }),
  );
  await store(
    mail('evil', HOSTILE, `Hello,\nfrom now on ${HOSTILE} applies to every order.\nbye`, { sender: HOSTILE }),
  );
  await store({
    scope: 'sales',
    source: {
      kind: 'jamie',
      id: 'jamie:weekly-7',
      title: 'Vertrieb, wöchentlich',
      occurred_at: '2026-03-10T08:00:00Z',
      sender: null,
      link: 'https://meet.example.com/7',
    },
    segments: [
      { start_s: 700, speaker: 'Svenja Köhler', text: 'Kommen wir zu den Lieferungen in die Schweiz.' },
      { start_s: 760, speaker: 'Ole', text: 'Da gab es zweimal Ärger am Zoll, jedes Mal zwei Wochen.' },
      { start_s: 781, speaker: 'Svenja Köhler', text: 'Gut, dann halten wir fest: ab April liefern wir' },
      { start_s: 795, speaker: null, text: 'in die Schweiz nur noch mit vollständigen Zollpapieren.' },
      { start_s: 840, speaker: 'Ole', text: 'Ich gebe das an die Spedition weiter.' },
    ],
    attachments: [],
  });
  const old = await propose({
    statement: 'Glas ab 10 mm wird in der verstärkten Kiste verschickt.',
    source: { kind: 'manual', quote: 'Glas ab 10 mm nur in der verstärkten Kiste.', link: null },
    keywords: ['Glas', 'Kiste'],
    valid_from: '2025-06-01',
    said_at: '2025-06-01T08:00:00Z',
    speaker: null,
  });
  await decide(rules, old, { decision: 'confirm', version: 1 });
  const refused = await propose({
    statement: 'Glas wird gar nicht mehr in Kisten verschickt.',
    source: { kind: 'manual', quote: 'Glas gar nicht mehr in Kisten.', link: null },
    keywords: ['Glas', 'Kiste'],
  });
  await decide(rules, refused, {
    decision: 'reject',
    version: 1,
    reason: 'Das hat niemand so gesagt; gemeint war nur die dünne Kiste.',
  });
  rules.pass(1);
  const replacing = await propose({
    statement: 'Glas ab 8 mm wird nur noch in der verstärkten Kiste verschickt.',
    source: { kind: 'mail', id: 'mail:<glas@example.com>', quote: LONG_QUOTE, link: null },
    keywords: ['Glas', 'Kiste', 'Verpackung'],
    valid_from: '2026-05-01',
    said_at: '2026-03-04T07:12:00Z',
    speaker: 'Jörg Größlich',
    supersedes: old,
    relations: [
      { kind: 'product', name: 'Glasplatte', ref: 'art-8' },
      { kind: 'supplier', name: 'Kistenbau Müller & Söhne', ref: null },
    ],
  });
  rules.pass(3 * 86_400_000);
  const meeting = await propose({
    kind: 'note',
    statement: 'In die Schweiz liefern wir ab April nur mit vollständigen Zollpapieren.',
    source: {
      kind: 'jamie',
      id: 'jamie:weekly-7',
      quote: 'ab April liefern wir in die Schweiz nur noch mit vollständigen Zollpapieren',
      timestamp_s: 790,
      link: 'https://meet.example.com/7?t=790',
    },
    keywords: ['Schweiz', 'Zoll'],
    valid_from: '2026-04-01',
    said_at: '2026-03-10T08:13:00Z',
    speaker: 'Svenja Köhler',
    relations: [],
  });
  const rtl = await propose({
    statement: 'نطلب تأكيد موعد التسليم كتابيا قبل كل طلب.',
    source: {
      kind: 'mail',
      id: 'mail:<rtl@example.com>',
      quote: 'من الآن فصاعدا نطلب تأكيد موعد التسليم كتابيا قبل كل طلب',
      link: null,
    },
    keywords: ['التسليم', 'Liefertermin'],
    speaker: 'ليلى',
    relations: [],
  });
  const hostile = await propose({
    statement: `Always ${HOSTILE} first`,
    source: { kind: 'mail', id: 'mail:<evil@example.com>', quote: `from now on ${HOSTILE} applies`, link: null },
    keywords: ['"><script>', '\u2066\u200b\u00ad'],
    speaker: HOSTILE,
    relations: [{ kind: 'customer', name: HOSTILE, ref: '</bdi></dd>' }],
  });
  rules.pass(86_400_000);
  const own = await propose({
    statement: 'Sample colour cards are sent out free of charge twice a year.',
    source: { kind: 'manual', quote: 'We send colour cards for free, twice a year at most.', link: null },
    keywords: ['colour card'],
    relations: [],
    speaker: null,
  });
  const decided = await propose({
    statement: 'Quotes are valid for thirty days unless the offer says otherwise.',
    source: { kind: 'manual', quote: 'Our quotes hold for thirty days.', link: null },
    keywords: ['offer', 'validity'],
  });
  await decide(rules, decided, {
    decision: 'confirm',
    version: 1,
    reason: 'As agreed with the sales team.',
    change: {
      statement: 'Offers are valid for thirty days unless they say otherwise.',
      keywords: ['offer', 'validity', 'thirty days'],
    },
  });
  return { old, refused, replacing, meeting, rtl, hostile, own, decided };
}

export type SceneRule = 'old' | 'refused' | 'replacing' | 'meeting' | 'rtl' | 'hostile' | 'own' | 'decided';
