import type { Language } from '../ports.ts';

/** Phrases that mean the same, by language. */
export type BaseGroup = Readonly<Record<Language, readonly string[]>>;

/** Words of everyday business that mean the same; a configuration adds its own (architecture 5, rules contract 7.2). */
export const BASE_GROUPS: readonly BaseGroup[] = [
  { de: ['lieferzeit', 'lieferfrist', 'lieferdauer'], en: ['delivery time', 'lead time'] },
  { de: ['rabatt', 'nachlass', 'preisnachlass'], en: ['discount'] },
  { de: ['rechnung', 'faktura'], en: ['invoice'] },
  { de: ['angebot', 'offerte'], en: ['quotation', 'quote'] },
  { de: ['kunde', 'auftraggeber'], en: ['customer', 'client'] },
  { de: ['lieferant', 'zulieferer'], en: ['supplier', 'vendor'] },
  { de: ['bestellung', 'auftrag'], en: ['order'] },
  { de: ['versand', 'lieferung'], en: ['shipping', 'delivery', 'shipment'] },
  { de: ['reklamation', 'beanstandung', 'beschwerde'], en: ['complaint', 'claim'] },
  { de: ['gewährleistung', 'garantie'], en: ['warranty', 'guarantee'] },
  { de: ['rückgabe', 'retoure', 'rücksendung'], en: ['return'] },
  { de: ['zahlungsziel', 'zahlungsfrist'], en: ['payment term'] },
  { de: ['skonto', 'barzahlungsnachlass'], en: ['cash discount'] },
  { de: ['termin', 'besprechung'], en: ['meeting', 'appointment'] },
  { de: ['urlaub', 'ferien'], en: ['holiday', 'vacation'] },
  { de: ['genehmigung', 'freigabe'], en: ['approval', 'release'] },
  { de: ['kündigung', 'beendigung'], en: ['termination', 'cancellation'] },
  { de: ['vertrag', 'vereinbarung'], en: ['contract', 'agreement'] },
  { de: ['ansprechpartner', 'kontaktperson'], en: ['contact person'] },
  { de: ['verpackung'], en: ['packaging'] },
  { de: ['preis', 'kosten'], en: ['price', 'cost'] },
  { de: ['frist'], en: ['deadline'] },
  { de: ['ersatzteil'], en: ['spare part'] },
  { de: ['werkstatt'], en: ['workshop'] },
  { de: ['einkauf', 'beschaffung'], en: ['procurement', 'purchasing'] },
];
