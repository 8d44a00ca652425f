import { dictionary } from '@zxcvbn-ts/language-de';

/** German words, the most used first; short ones are grammar. */
const WORDS = (dictionary['commonWords'] ?? [])
  .filter(word => word.length > 3 && /^[a-zäöüß]+$/u.test(word))
  .slice(0, 30_000);

/** A stream of numbers from 0 to below 1 that is the same at every run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words as texts have them: a few very often, most seldom. */
const wordAt = (random: () => number): string => WORDS[Math.floor(WORDS.length ** random()) - 1]!;
const rareWord = (random: () => number): string => WORDS[Math.floor(random() * WORDS.length)]!;
const sentence = (random: () => number, length: number): string =>
  Array.from({ length }, () => (random() < 0.3 ? rareWord(random) : wordAt(random))).join(' ');

export interface SampleRule {
  readonly statement: string;
  readonly keywords: readonly string[];
  readonly customer: string;
  readonly quote: string;
  readonly validFrom: string;
}

/** One rule of a company: a sentence, keywords, a customer, a quote that goes on for a while. */
export function sampleRule(n: number): SampleRule {
  const random = randomFrom(n * 7919 + 17);
  const statement = `Regel ${n}: ${sentence(random, 12)}`.slice(0, 500);
  return {
    statement,
    keywords: Array.from({ length: 4 }, () => rareWord(random)),
    customer: `Kunde ${Math.floor(random() * 500)}`,
    quote: sentence(random, 24),
    validFrom: `202${Math.floor(random() * 6)}-0${1 + Math.floor(random() * 9)}-15`,
  };
}

/** A mail of some 150 words about what one of the rules says, with the small talk of mails around it. */
export function sampleMail(seed: number, rules: number): string {
  const random = randomFrom(seed * 104_729 + 5);
  const rule = sampleRule(1 + Math.floor(random() * rules));
  const topic = [...rule.keywords.slice(0, 2), ...rule.statement.split(' ').slice(4, 9)].join(' ');
  return [
    'Guten Tag Frau Berg,',
    '',
    `vielen Dank für Ihre Nachricht von gestern. ${sentence(random, 45)}.`,
    `Es geht noch einmal um ${topic}. ${sentence(random, 50)}.`,
    `Können Sie uns bitte sagen, was für ${rule.keywords[0]!} und ${rule.keywords[2]!} gilt?`,
    '',
    'Mit freundlichen Grüßen',
    'Ada Beispiel',
  ].join('\n');
}
