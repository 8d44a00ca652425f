import { expect, test } from 'vitest';
import { wordsWithin } from '../../src/search/analysis/compounds.ts';
import { keyOf } from '../../src/search/analysis/keys.ts';
import { germanWords } from '../../src/search/analysis/lexicon.ts';

/** Compound, first part, last part: as people would ask for them. */
const COMPOUNDS = `
  Türrahmen Tür Rahmen; Fensterbänke Fenster Bank; Tischlerwerkstatt Tischler Werkstatt; Gebäudereinigung Gebäude Reinigung;
  Häuserzeile Haus Zeile; Gänsefeder Gans Feder; Bäckerhandwerk Bäcker Handwerk; Stundenzettel Stunde Zettel;
  Wochenarbeitszeit Woche Arbeitszeit; Probezeitgespräch Probezeit Gespräch; Abnahmeprotokolle Abnahme Protokoll;
  Rohrbiegemaschine Rohr Maschine; Wellendichtringe Welle Dichtring; Kettensäge Kette Säge; Kranhaken Kran Haken;
  Förderbänder Förder Band; Spannschrauben Spann Schraube; Federstahl Feder Stahl; Gussgehäuse Guss Gehäuse;
  Ventildeckeldichtung Ventildeckel Dichtung; Druckbehälterprüfung Druckbehälter Prüfung; Messgenauigkeit Mess Genauigkeit;
  Fehlerstromschalter Fehlerstrom Schalter; Kabelkanal Kabel Kanal; Lampenfassungen Lampe Fassung; Trafostation Trafo Station;
  Batteriefach Batterie Fach; Ladestation Lade Station; Tankdeckel Tank Deckel; Radlager Rad Lager; Bremsschlauch Bremse Schlauch;
  Getriebeflansch Getriebe Flansch; Motorhaube Motor Haube; Auspuffrohr Auspuff Rohr; Sitzbezüge Sitz Bezug;
  Lackierkabine Lackier Kabine; Pulverbeschichtung Pulver Beschichtung; Korrosionsschutz Korrosion Schutz;
  Mülltonnen Müll Tonne; Kellertreppe Keller Treppe; Dachrinne Dach Rinne; Küchenwaage Küche Waage; Suppenteller Suppe Teller;
  Bratpfanne Brat Pfanne; Kirschkuchen Kirsche Kuchen; Nussbaum Nuss Baum; Hühnerfutter Huhn Futter; Bienenstock Biene Stock;
  Lohnabrechnung Lohn Abrechnung; Umsatzsteuererklärung Umsatzsteuer Erklärung; Anzahlungsrechnungen Anzahlung Rechnung;
  Vertragsstrafe Vertrag Strafe; Kassenbuch Kasse Buch; Frachtbriefe Fracht Brief; Zollgebühren Zoll Gebühr;
  Lieferantenliste Lieferant Liste; Kundendienstleiter Kundendienst Leiter; Mietwagen Miete Wagen; Urlaubsvertretung Urlaub Vertretung;
  Sprachauswahl Sprache Auswahl; Farbtafel Farbe Tafel; Kirchenglocke Kirche Glocke; Wundsalbe Wunde Salbe;
  Zahnpasta Zahn Pasta; Knieverband Knie Verband; Augenklappe Auge Klappe; Impfpass Impf Pass; Waldweg Wald Weg`;

const asked = COMPOUNDS.split(';').map(line => line.trim().toLowerCase().split(' ') as [string, string, string]);

/** Share of compounds that are found by the part at that place. */
function found(place: 1 | 2): number {
  const hit = asked.filter(([compound, ...parts]) => {
    const within = wordsWithin(compound, germanWords()).map(word => keyOf(word, 'de'));
    return within.includes(keyOf(parts[place - 1]!, 'de'));
  });
  return hit.length / asked.length;
}

test('[SW4] compounds of trade and workshop are found by their first and by their last part', () => {
  expect(asked.length).toBeGreaterThan(60);
  expect(found(1)).toBeGreaterThan(0.95);
  expect(found(2)).toBeGreaterThan(0.95);
});

test.each([
  ['winterreifenpflicht', ['winterreifen', 'reifenpflicht', 'winter', 'reifen', 'pflicht']],
  ['zylinderkopfdichtung', ['zylinderkopf', 'zylinder', 'kopf', 'dichtung']],
  ['häuserfassade', ['häuser', 'fassade']],
  ['ölwannen', ['öl', 'wanne']],
  ['mietverträge', ['miete', 'vertrag']],
])('[SW4] %s holds %j', (compound, words) => {
  const keys = wordsWithin(compound, germanWords()).map(word => keyOf(word, 'de'));
  expect(keys).toEqual(expect.arrayContaining(words.map(word => keyOf(word, 'de'))));
});

test.each(['entwenden', 'bürger', 'princess', 'normales', 'arbeiter', 'partnerinnen'])(
  '[SW4] %s ends with no part of its own',
  word => {
    expect(wordsWithin(word, germanWords())).toEqual([]);
  },
);
