const list = (text: string): readonly string[] => text.split(/\s+/u).filter(Boolean);

/**
 * Nouns that German compounds are made of and that lists of the commonest words leave out: workshop, machine, house, kitchen, office,
 * trade, body and nature.
 */
export const MORE_NOUNS = list(`
  ableiter ablage abroller abstreifer auspuff achse akku amboss anker anode antenne armatur asche auflage aufkleber aufnehmer aufsatz
  aufzug ausleger ausweis axt bagger balg balken bauteil becher behälter beitel belag belüfter beschlag beschichtung besen
  bieger bimetall blech blende bleche block bohrer bohrung bolzen bügel bürste buchse büchse bund bunker dämmung dämpfer
  deckel deichsel detektor dichtung diele diode docht dorn dose draht drehbank drehmoment drossel drucker dübel düse eimer
  einlage einsatz einschub einspeisung elektrode emaille etikett etui exzenter faden fahrwerk falle falz fase faser fass
  feder feile felge fett filter filz fitting flansch flasche fliese flügel förderer folie fräse fräser fühler füller fuge
  führung furnier futter gabel gasse geber gebläse gehäuse gehänge geländer gelenk generator gerüst gestänge gestell getriebe
  gewinde gewicht gitter glocke granulat griff gully gummi gurt guss hahn haken hammer halter halterung handschuh handrad
  harz haube hebel heber heizer heizung helm hobel hubwagen hülse hupe hydraulik isolator isolierung kabel kachel käfig
  kamin kammer kanister kante kappe karton kasten kegel keil kelle kerbe kerze kessel kette kiste kittel klammer klappe
  kleber klebeband kleister klemme klinge klinke klotz knauf knebel knopf knoten kocher koffer kolben kompressor kondensator
  konsole konus korb korken korrosion kran kratzer kreide kreissäge kübel kugel kühler kufe kulisse kupplung kurbel lack
  laden lager lamelle lampe lasche laser latte lauge leim leiste leiter leitung leuchte lenker lenkung löscher löffel lot
  lüfter lüftung luke lupe magazin magnet manometer mantel manschette markierung mast matte mäher meißel melder membran
  messer messing mikrometer mixer modul monteur mörtel motor muffe mühle mulde mutter nabe nadel nagel naht niete nippel
  niveau nocken nut ofen öse ösen palette paneel patrone pedal pegel pfanne pfeife pfosten pinsel pinzette pipette planke
  platine platte pleuel plombe polster polierer presse prisma prüfer puffer pulver pumpe putz quarz rahmen rampe raspel raste
  raster rechen regal regler reifen reiniger relais reling riegel riemen rille rinne ritzel rohling rohr rolle rollo rost
  rotor rührer rüssel rutsche säge säure sack sattel sauger säule schablone schacht schale schalter schalung scharnier
  schaufel schaum scheibe schelle schere scheuer schieber schiene schild schirm schlacke schlauch schlegel schleife schleuse
  schlitten schlitz schloss schlosser schlüssel schmiede schnalle schneide schneider schnur schott schraube schrauber
  schraubstock schrott schürze schutz schwamm schwelle schwinge sechskant segment seife seil sensor sicherung sieb sifon
  siphon silo sims sitz socke sockel sonde spachtel spange spanner spachtel spaten speiche speicher spender sperre spindel
  spirale splint spitze sporn sprosse spritze spritzguss spule spüle spüler spund stab stanze stapler staub stecker steg
  steuerung stempel stichel stiel stift stock stopfen stößel strahler strang strebe streifen stütze stutzen sulfat tablett
  tablette tacho takt tampon tank tapete taster taucher teller thermostat tiegel tonne topf torte trafo träger traverse
  treiber treppe trichter trommel tülle turbine typenschild überzug umrichter umformer unterlage vakuum ventil ventilator
  verbinder verdampfer verdichter verschluss verschraubung verstärker verteiler vibration vlies vorlage vorrichtung waage
  wagenheber walze wälzlager wanne wandler wanne wäscher welle wender wendel werkbank werkzeug wickler winde winkel wischer
  wolle wulst zacken zahnrad zange zapfen zement zeiger zelle ziegel zink zinn zirkel zünder zünder zunder zwinge zylinder
  abfluss abzug anhänger backofen balkon bank bettzeug bettwäsche besteck bezug bürste couch dach decke dusche eimer
  flur fußboden gardine garage garderobe geschirr griff handtuch herd hocker jacke jalousie kachel kanne kissen klingel
  kommode korb kühlschrank lappen matratze möbel mülleimer ofen parkett pfanne rasen rasur regal schrank schublade sessel
  socke sofa spiegel stuhl teppich teller tisch toilette topf vase vorhang waschbecken wäsche wecker zaun
  ananas apfel aprikose banane beere birne bohne braten brei brot brühe butter ei eier eis erbse essig fleisch forelle
  gans gebäck gemüse gewürz grieß gurke hafer hähnchen haferflocke hefe himbeere honig huhn hühner joghurt kakao karotte
  karpfen käse keks kirsche kloß knoblauch knödel kohl korn kraut kuchen kürbis lachs lamm likör linse mais mandel margarine
  marmelade mehl melone milch möhre muschel nudel nuss obst olive orange paprika pfeffer pfirsich pflaume pilz quark radieschen
  reis rind roggen rosine rübe saft sahne salami salat salz sauce schinken schokolade schwein sellerie senf soße spargel
  speck spinat suppe teig thunfisch tomate traube vollkorn wein weizen wurst zander zimt zitrone zucker zwiebel knacker
  biene bock dachs eber eichel elster falke fink fliege floh frosch fuchs geflügel gehege geweih giraffe hamster hase hecht
  hengst henne hirsch hirse hummel igel käfer kalb kamel kaninchen kater katze klaue krabbe kralle kröte krokodil kuckuck kuh
  laub libelle luchs marder maulwurf maus mäuse meise motte mücke möwe nerz nest otter panther papagei pelz pferd pinguin
  pony qualle rabe ratte raupe reh robbe schaf schaben schecke schimmel schlange schmetterling schnabel schnecke schwan
  schwanz spatz specht spinne stall stier storch stute taube tiger uhu wal welpe wespe wiesel wolf wurm zebra ziege
  ahorn birke blüte buche distel efeu eiche erle esche farn fichte flieder gras halm hecke holunder kiefer klee knolle knospe
  lärche lavendel lilie linde moos mohn nelke nessel orchidee pappel primel rinde rose samen schilf staude stängel strauch
  tanne tulpe unkraut veilchen weide wurzel zeder zwiebel
  auge backe bart bauch becken bein blase brust darm daumen ellbogen ferse finger galle gaumen gebiss gehirn gelenk genick
  haar hals haut herz hüfte kehle kiefer kinn knie knöchel knochen leber lippe lunge magen milz mund muskel nacken nagel nase
  nerv niere rippe rücken schenkel schädel schläfe schulter sehne speichel stirn träne wade wange wimper wirbel wunde zahn
  zehe zunge allergie impfung infusion narbe pflaster salbe spritze verband zäpfchen
  abgabe abholung abrechnung absender abteilung akte aktenordner anfrage anlieferung anmeldung antrag anzahlung arbeitszeit
  archiv aufkleber auftrag ausgabe ausschreibung bedarf beleg bestand bestellung bewerbung bewirtung bilanz bote brief briefkopf
  buchung büro bescheid dienstwagen disposition ordner eingabe einkäufer einspruch empfang empfänger erfassung erlös
  erstattung etat faktura fälligkeit filiale formular fracht frist gebühr gehalt gläubiger guthaben gutschein gutschrift
  haftung handbuch honorar inkasso inventar inventur kasse kassierer katalog kladde klausel konto korrektur kosten kostenstelle
  kredit kunde kundin kuvert lieferant lieferschein liste lohn mahnung mappe marge meldung merkblatt miete mieter muster
  nachlass nachweis nebenkosten notiz nummer ordner pacht pauschale pfand porto posten prämie protokoll provision quittung
  rabatt rate rechnung register reklamation retoure richtlinie schein schulung skonto sortiment spediteur spedition spesen
  staffel steuer stornierung storno tarif visite termin umlage umsatz umschlag unterlage unterschrift urkunde urlaub verbuchung
  vermerk vernichter versand verzug visitenkarte vollmacht vordruck vorlage vorschuss ware zettel zins zoll zulage zuschlag
  bildschirm datei datenbank drucker festplatte kennwort konsole laptop maus monitor netzteil notebook ordner passwort platine
  schnittstelle server software speicher tablet tastatur treiber zugang zugriff
  anstrich arzt ampel anwalt bach bäcker bauer bürger bürste burg dorf fahrer fähre feuerwehr fleischer förster friseur gärtner
  gasse gefäß gleis graben halde hafen insel kanal kapelle kirche klempner koch köchin kneipe küste lehrer makler maler maurer
  metzger mühle pfarrer pfad polizist quelle richter schleuse schneider schreiner schuster stollen teich tischler ufer wächter
  wald wehr weiher wiese zimmerer`);

/** Stems of verbs that stand at the beginning of compounds: Spülmaschine, Prüfprotokoll, Einspritzdüse. */
export const VERB_STEMS = list(`
  abfall abbrenn abhol abkling abricht absaug abscheid abschalt abschlepp absetz absperr abstell abtast abtropf anfahr anlauf
  anlern anmelde anreise anruf ansaug anschlag anschluss anschraub anzeig aufbewahr auffang aufhänge auflade aufnahme ausblas
  ausgleich auskling auslauf ausricht auswert auszieh back bade befehls bestell beiz bett biege blas bohr brech bremse brenn
  brut bügel dämm dämpf dicht dosier dreh druck dübel duft einbau einfahr einfüll einhäng einkauf einlass einlauf einlege
  einricht einschalt einspritz einstell einwurf entlade entlüft entnahme entsorg ess fahr falt fang färb feil fertig fern
  film flecht flieg fließ föhn förder form fräs frier fühl füll gärt gefrier gieß gleit glüh grab greif grill haft halte
  häng heb hebe heft heiz hobel hör hüpf impf kauf kehr kipp klapp kleb klemm klett klick klopf knet koch kontroll koppel
  kratz kreis kriech kühl lackier lade lager lauf leit lenk lern les lese leucht liefer liege lösch löse löt lüft mahl mahn
  mäh male meld melde mess miet misch nagel näh nass nenn netz niet park pass pflanz pflück pflug pfeif polier präge press
  prüf pump putz rast rasier räum rechen reib reinig reise reiß reit rett riech ring roll röst rück rühr ruf ruh rühr rutsch
  säge sammel saug schab schäl schalt schank schau schälchen scheuer schieb schieß schlaf schlag schleif schlepp schleuder
  schließ schmelz schmier schmink schmied schnarch schneid schnell schöpf schrank schraub schreib schreit schrumpf schub
  schür schütt schweb schweiß schwenk schwimm schwing seh seil send setz sicher sied sitz sortier spann spar speicher sperr
  spiel spinn spreng spreiz spritz sprech spring sprüh spuck spül stanz stapel stau steck steh steig stell stemm steuer stich
  stick stopp stoß streck streich streu strick stütz such tank tast tauch tausch tipp trag transportier tränk treib trenn tret
  trink trocken tropf tritt turn überlauf überwach umfüll umkleide umlauf umlenk umluft umschalt untersuch verdampf verfall
  verlade verpack verschleiß versand versteck verteil vorschalt wähl wander warn wart wasch wechsel wehr weid wein weis wend
  werbe werf wickel wieg wisch wohn wringe wurf zahl zähl zapf zeichen zeig zerleg zieh ziel zucht zünd zuschneid`);
