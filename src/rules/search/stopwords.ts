/** Words that say nothing about a rule by themselves. */
const WORDS: Readonly<Record<Language, string>> = {
  de: `aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass daß dein
    deine dem den denn der des dessen deren die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem
    einen einer eines er es etwas euch für gegen gibt hab habe haben hat hatte hier hin hinter ich ihm ihn ihnen ihr ihre
    ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann kein keine keinem keinen keiner können könnte
    man mein meine mich mir mit nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner
    seit sich sie sind so soll sollen sollte sondern sonst über um und uns unser unsere unter vom von vor war waren warum
    was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo wurde wurden zu zum
    zur zwischen`,
  en: `a about above after again all also am an and any are as at be because been before being below between both but by
    can could did do does doing down during each few for from further had has have having he her here hers him his how i
    if in into is it its just me more most my no nor not of off on once only or other our out over own same she should
    so some such than that the their them then there these they this those through to too under until up very was we
    were what when where which while who whom why will with would you your`,
};

export type Language = 'de' | 'en';

const lists = Object.fromEntries(
  Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
) as unknown as Readonly<Record<Language, ReadonlySet<string>>>;

export const isStopword = (word: string, languages: readonly Language[]): boolean =>
  languages.some(language => lists[language].has(word));
