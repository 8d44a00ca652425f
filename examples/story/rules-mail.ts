/** A mail that comes in while the story runs, and what an agent makes of it. */
export const MAIL_ID = 'mail:<2025-11-12-fichtenstein-updates@post.brandauer.example>';
const LINK = 'https://post.brandauer.example/2025-11-12-fichtenstein-updates';
const WRITTEN = '2025-11-12T07:05:00Z';

export const MAIL = {
  scope: 'technik',
  source: {
    kind: 'mail',
    id: MAIL_ID,
    title: 'Update an der BM-360-0047',
    occurred_at: WRITTEN,
    sender: 'Vitus Grabmair <v.grabmair@fichtenstein.example>',
    thread: null,
    link: LINK,
  },
  text: `Grüß Gott nach Lindach,

das Update vom Dienstag ist mitten in der Abfüllung abgebrochen, weil bei uns wieder einmal kein Empfang war.

Updates bitte künftig nur nachts und erst, nachdem ich den Empfang geprüft habe.

Wir haben hier ausschließlich Mobilfunk, daran wird sich so bald nichts ändern.

Die Zeichnung der 0,33-l-Flasche kommt nächste Woche.

V. Grabmair
`,
  attachments: [
    {
      filename: 'empfang.heic',
      media_type: 'image/heic',
      size: 2104877,
      external: null,
      text: null,
      text_origin: null,
    },
  ],
};

const proposal = (statement: string, quote: string, keywords: readonly string[]) => ({
  scope: 'technik',
  kind: 'rule',
  statement,
  source: { kind: 'mail', id: MAIL_ID, quote, link: LINK },
  said_at: WRITTEN,
  speaker: 'Vitus Grabmair',
  relations: [{ kind: 'customer', name: 'Brauerei Fichtenstein', ref: 'customer::brauerei-fichtenstein' }],
  keywords,
  valid_from: '2025-11-12',
  supersedes: null,
});

const HURRIED = 'Updates bei der Brauerei Fichtenstein laufen nur nachts.';
const KEYWORDS = ['Update', 'Firmware', 'Fernwartung', 'Empfang', 'nachts'];

/** Words that nobody wrote. */
export const INVENTED = proposal(HURRIED, 'Updates sind bei uns grundsätzlich nur noch nach 22 Uhr erlaubt', KEYWORDS);
export const QUOTED = proposal(
  HURRIED,
  'Updates bitte künftig nur nachts und erst, nachdem ich den Empfang geprüft habe',
  KEYWORDS,
);
/** The statement after a person has read the mail. */
export const EDITED =
  'Updates an der BM-360-0047 der Brauerei Fichtenstein laufen nur nachts und erst, nachdem Herr Grabmair den Empfang geprüft hat.';

/** A true quote and a conclusion that it does not bear. */
export const OVERDRAWN = proposal(
  'Die Brauerei Fichtenstein bekommt über Mobilfunk keine Updates mehr.',
  'Wir haben hier ausschließlich Mobilfunk, daran wird sich so bald nichts ändern',
  ['Update', 'Mobilfunk', 'Fernwartung'],
);
export const NOT_SAID = 'Das steht da nicht: Updates sind möglich, aber nachts und nach Absprache.';
