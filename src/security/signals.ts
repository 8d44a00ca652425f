import { SIGNALS, type Signal } from './schema.ts';

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Joiners count between Latin letters only, where no script needs them; a single variation selector belongs to an emoji. */
const HIDDEN = new RegExp(
  [
    '[\\u00AD\\u115F\\u1160\\u180E\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]',
    '\\u034F|[\\u17B4\\u17B5\\u180B-\\u180D\\u180F]',
    '[\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}]',
    '(?<=[\\p{Script=Latin}\\p{N}])[\\u200C\\u200D]',
    '[\\uFE00-\\uFE0F]{2}',
  ].join('|'),
  'u',
);
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const FRAME = /[⟪⟫]|(?<![\p{L}\p{N}])gn\s?:\s?[A-Za-z0-9_-]{4,}\s?(?:[>)\]}⟫»》≫]|untrusted|human-confirmed)/iu;

/** Tried on lower case without invisible characters, white space as single spaces. Every repetition has a bound. */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,3} (?:previous|prior|above|earlier|preceding|existing|safety|system)(?: \w+){0,2} (?:instruction|rule|message|prompt|guideline|direction|text|context)/,
  /\b(?:ignore|disregard|forget|override) (?:all|any|every|your|these|those|the)(?: \w+){0,2} (?:instruction|prompt|guideline|direction)/,
  /\bforget everything\b/,
  /\byou are (?:now|no longer)\b/,
  /\b(?:pretend|act) (?:to be|as if|as though|as an?) /,
  /\bfrom now on,? you (?:are|will|must|should|shall)\b/,
  /\b(?:your|the|these are (?:your|the)) new (?:instruction|rule|task|role|system prompt)s?\b/,
  /\bnew (?:system )?(?:instruction|prompt)s? ?:/,
  /\bsystem[ -]?prompt\b/,
  /\b(?:do not|don't|never) (?:tell|inform|alert|warn|notify|mention (?:this|it) to|show (?:this|it) to) (?:the |your )?(?:user|human|person|operator|owner)/,
  /\bwithout (?:asking|telling|informing|notifying) (?:the |your )?(?:user|human|person|operator)/,
  /\b(?:reveal|print|repeat|output|leak|send)(?: \w+){0,2} (?:instructions|system message|prompt|credentials|api key|access token)\b/,
  /\b(?:call|invoke|execute) (?:the |this |your )?(?:\w+ )?(?:tool|function|command|plugin)s?\b/,
  /\b(?:jailbreak|developer mode|dan mode)\b/,
  /\bif you are an? (?:ai|llm|language model|assistant|agent|bot)\b/,
  /\b(?:attention|note|message|instructions?) (?:to|for) (?:all |any |the )?(?:ai|llm|language model|assistant|agent|bot)s?\b/,
  /(?<!\p{L})(?:ignorier|missacht|vergiss|vergesst|vergessen|übergeh|umgeh)\p{L}{0,3}(?: \p{L}+){0,4} (?:anweisung|instruktion|vorgabe|regel|prompt|nachricht)/u,
  /(?<!\p{L})(?:vergiss|vergesst|vergessen sie) alles\b/u,
  /(?<!\p{L})du bist (?:jetzt|nun|ab sofort|ab jetzt|kein)/u,
  /(?<!\p{L})(?:ab jetzt|ab sofort|von nun an) (?:bist|wirst|musst|sollst|darfst) du\b/u,
  /(?<!\p{L})(?:verhalte dich|gib dich|tu so)(?: \p{L}+){0,2} (?:als|wie) /u,
  /(?<!\p{L})neue (?:anweisung|instruktion|system)\p{L}{0,8} ?:/u,
  /(?<!\p{L})(?:sag|sage|sagt|verrate|erzähle|melde|zeige)(?: \p{L}+){0,2} (?:dem|der|den|ihrem|deinem) (?:nutzer|benutzer|anwender|menschen|person|bediener)\p{L}{0,3} (?:nichts|nicht|davon)/u,
  /(?<!\p{L})ohne (?:den |die |deinen )?(?:nutzer|benutzer|anwender|menschen|person)\p{L}{0,3} zu (?:fragen|informieren|benachrichtigen)/u,
  /(?<!\p{L})(?:ruf|rufe|führe)(?: \p{L}+){0,3} (?:tool|funktion|befehl)\p{L}{0,2} (?:\p{L}+ ){0,2}(?:auf|aus)(?!\p{L})/u,
  /(?<!\p{L})(?:wenn|falls) du (?:eine? )?(?:ki|sprachmodell|assistent|agent|bot)\b/u,
  /(?<!\p{L})(?:anweisung|hinweis|nachricht)\p{L}{0,3} (?:an|für) (?:alle |die |den |das )?(?:ki|sprachmodell|assistent|agent|bot)/u,
];

/** Tried on lower case without invisible characters, lines kept. */
const ROLES: readonly RegExp[] = [
  /(?:^|\n)[ \t>*#-]{0,8}(?:system|assistant|developer)(?: message| prompt)?[ \t*]{0,4}:/,
  /<\|[a-z_]{2,30}\|>/,
  /\[\/?inst\]|<<\/?sys>>/,
  /<\/?(?:system|assistant|developer|human|user)(?:[ -]?(?:prompt|message|instructions?|reminder))?>/,
  /(?:^|\n)[ \t]{0,8}#{1,6} ?(?:system|assistant|instructions?|new instructions)\b ?:?[ \t]*(?:\n|$)/,
  /-{2,20} ?(?:begin|end|start)(?: of)? (?:system|instructions?|prompt|developer)/,
  /"role" ?: ?"(?:system|assistant|developer|tool)"/,
];
const TOOLS: readonly RegExp[] = [
  /<\/?(?:[a-z]{1,12}:)?(?:tool|function)[_-]?(?:call|use|result|response)s?\b/,
  /<\/?(?:[a-z]{1,12}:)?(?:invoke|function_calls|parameter)\b[^>\n]{0,200}>/,
  /"(?:tool_calls|tool_use|function_call|tool_result)"/,
  /\btools\/call\b|"jsonrpc" ?: ?"2\.0"/,
  /\bmcp__[a-z0-9]/,
  /\b(?:search_rules|read_rule|list_rules|propose_rule|list_proposals|retract_rule|entity_(?:create|move|update|resolve)|link_propose|update_page)\b/,
];

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;
const BLOBS: readonly RegExp[] = [
  /(?:[A-Za-z0-9+/_-]{76}[\r\n]{1,2}){2}/,
  /(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]{0,79}[a-z])(?=[A-Za-z0-9+/_-]{0,79}[A-Z])(?=[A-Za-z0-9+/_-]{0,79}\d)[A-Za-z0-9+/_-]{80}/,
  /(?<![0-9A-Fa-f])[0-9A-Fa-f]{96}/,
  /(?:\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{1,6};){8}/,
  /(?<![01])(?:[01]{8}[ ,]?){8}/,
];

/** Signs in a text that it speaks to a model, each once, in the order of SIGNALS. Takes time linear in the length. */
export function signalsIn(text: string): readonly Signal[] {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  const flat = plain.replace(/\s+/g, ' ');
  const found: Readonly<Record<Signal, boolean>> = {
    instruction: matches(INSTRUCTIONS, flat),
    'role-marker': matches(ROLES, plain),
    'tool-marker': matches(TOOLS, plain),
    'frame-marker': FRAME.test(text) || FRAME.test(plain),
    'hidden-characters': HIDDEN.test(text),
    'bidi-characters': BIDI.test(text),
    'encoded-blob': matches(BLOBS, text.replace(ADDRESS, ' ')),
  };
  return SIGNALS.filter(signal => found[signal]);
}

const matches = (shapes: readonly RegExp[], text: string): boolean => shapes.some(shape => shape.test(text));
