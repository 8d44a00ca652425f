import type { Language } from '../ports.ts';
import { plain } from './fold.ts';

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u).filter(Boolean).map(plain));

/** Words that carry grammar, not content; question words and the like among them. */
export const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  de: list(`
    aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus bei beim bereits
    bin bis bist bitte bzw da dabei dadurch dafür daher damit danach dann daran darauf daraus darf das dass davon dazu dein
    deine deinem deinen deiner dem den denen denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir
    doch dort du durch dürfen eben ebenfalls ein eine einem einen einer eines einige einigen einiger er es etwa etwas euch
    euer eure eurem euren eurer für ganz gar gegen genau gibt habe haben hast hat hatte hatten hier hin hinter ich ihm ihn
    ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja je jede jedem jeden jeder jedes jedoch jene jenem jenen jener
    jetzt kann kannst kein keine keinem keinen keiner können könnte könnten man manche manchem manchen mancher mehr mein
    meine meinem meinen meiner mich mir mit muss müssen musste mussten nach nachdem neben nicht nichts noch nun nur ob
    obwohl oder ohne sehr sei seid sein seine seinem seinen seiner seit sich sie sind so sobald sofern sogar solche solchem
    solchen solcher soll sollen sollte sollten sondern sonst soweit sowie über um und uns unser unsere unserem unseren
    unserer unter viel viele vielen vieler vom von vor während wann war waren warst warum was weder weil welche welchem
    welchen welcher welches wem wen wenn wer werde werden wessen weshalb wie wieder wieso wieviel wieviele will wir wird
    wirst wo wobei wodurch wofür woher wohin wollen wollte womit wonach woran worauf woraus worden worin worüber wovon wozu
    wurde wurden würde würden zu zum zur zwar zwischen`),
  en: list(`
    a about above after again against all also am among an and any are aren as at be because been before being below
    between both but by can cannot could couldn did didn do does doesn doing don down during each either ever every few for
    from further get gets got had hadn has hasn have haven having he her here hers herself him himself his how however i if
    in into is isn it its itself just ll many may me might more most much must mustn my myself neither no nor not now of off
    on once only onto or other ought our ours ourselves out over own per please re s same shall shan she should shouldn
    since so some such t than that the their theirs them themselves then there therefore these they this those though
    through thus to too under until up upon us ve very via was wasn we were weren what whatever when where whether which
    while who whom whose why will with within without won would wouldn yet you your yours yourself yourselves`),
};
