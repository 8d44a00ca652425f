import { folded, wordsOf } from './words.ts';

/** Words of everyday business that mean the same; a configuration adds its own (contract 7.2). */
const BASE: readonly (readonly string[])[] = [
  ['lieferzeit', 'lieferfrist', 'lieferdauer', 'delivery time', 'lead time'],
  ['rabatt', 'nachlass', 'preisnachlass', 'discount'],
  ['rechnung', 'faktura', 'invoice'],
  ['angebot', 'offerte', 'quotation', 'quote'],
  ['kunde', 'auftraggeber', 'customer', 'client'],
  ['lieferant', 'zulieferer', 'supplier', 'vendor'],
  ['bestellung', 'auftrag', 'order'],
  ['versand', 'lieferung', 'shipping', 'delivery', 'shipment'],
  ['reklamation', 'beanstandung', 'beschwerde', 'complaint', 'claim'],
  ['gewährleistung', 'garantie', 'warranty', 'guarantee'],
  ['rückgabe', 'retoure', 'rücksendung', 'return'],
  ['zahlungsziel', 'zahlungsfrist', 'payment term'],
  ['skonto', 'barzahlungsnachlass', 'cash discount'],
  ['termin', 'besprechung', 'meeting', 'appointment'],
  ['urlaub', 'ferien', 'holiday', 'vacation'],
  ['genehmigung', 'freigabe', 'approval', 'release'],
  ['kündigung', 'beendigung', 'termination', 'cancellation'],
  ['vertrag', 'vereinbarung', 'contract', 'agreement'],
  ['ansprechpartner', 'kontaktperson', 'contact person'],
  ['verpackung', 'packaging'],
  ['preis', 'kosten', 'price', 'cost'],
  ['frist', 'deadline'],
  ['ersatzteil', 'spare part'],
  ['werkstatt', 'workshop'],
  ['einkauf', 'beschaffung', 'procurement', 'purchasing'],
];

/** What else a question may say with other words. `words`: those of the question; `others`: phrases of the same meaning. */
export interface Expansion {
  readonly words: string;
  readonly others: readonly (readonly string[])[];
}

/** Groups of synonyms of which the words of a question hold one, matched word by word, in any case (contract 3, 7.2). */
export function expansionsOf(spoken: readonly string[], given: readonly (readonly string[])[]): Expansion[] {
  const line = ` ${spoken.map(folded).join(' ')} `;
  const found = new Map<string, readonly (readonly string[])[]>();
  for (const group of [...given, ...BASE]) {
    const phrases = group.map(wordsOf).filter(words => words.length > 0);
    const said = phrases.filter(words => line.includes(` ${words.map(folded).join(' ')} `));
    const others = phrases.filter(words => !said.includes(words));
    if (others.length === 0) continue;
    for (const words of said) {
      const key = words.join(' ');
      found.set(key, [...(found.get(key) ?? []), ...others]);
    }
  }
  return [...found].map(([words, others]) => ({ words, others: unique(others) }));
}

const unique = (phrases: readonly (readonly string[])[]): (readonly string[])[] => [
  ...new Map(phrases.map(words => [words.join(' '), words])).values(),
];
