import { AGENT } from './read-names.ts';
import { COMMITTED } from './read-outcomes.ts';
import type { Mention } from './understanding.ts';

/** Words that only ask for sessions, and say nothing about the one that is wanted. */
const NOUN = '(?:sessions?|conversations?|chats?|discussions?|threads?|transcripts?|ones?)';
const SESSIONS = `(?:(?:all|any|every|each|each of|the|that|this|my|our|those|some|past|previous|earlier|old|one|a|an)\\s+){0,4}${NOUN}`;
const POLITE =
  "(?:please\\s+)?(?:(?:can|could|would)\\s+you\\s+(?:please\\s+)?|i\\s+(?:want|need)\\s+(?:to\\s+(?:see|find)\\s+)?|i(?:['’]m|\\s+am)\\s+looking\\s+for\\s+)?";
const VERB =
  '(?:show|find|list|give|get|open|bring\\s+up|pull\\s+up|take\\s+me\\s+(?:back\\s+)?to|search(?:\\s+for)?|look(?:\\s+for|\\s+up)?)';
const SHOW = `${POLITE}(?:${VERB}\\s+)?(?:me\\s+|us\\s+)?`;
const WHO = '(?:we|i|you|you\\s+and\\s+i)';
const AUXILIARY = '(?:did|do|have|has|had|was|were|is|are)';
const HELPERS = `(?:(?:${AUXILIARY}|ever|also|last|once|already|been)\\s+){0,3}`;
/** What people and sessions do with a topic. */
const TALKED =
  '(?:discuss(?:e[ds]|ing)?|mention(?:ed|s|ing)?|cover(?:ed|s|ing)?|address(?:e[ds])?|touch(?:ed|es|ing)?(?:\\s+(?:on|upon))?|br(?:ings?|ought)\\s+up|(?:talk(?:ed|s|ing)?|speaks?|spoke|spoken|chat(?:ted)?|ask(?:ed)?)\\s+(?:about|of|on|through)|(?:work(?:ed|ing)?|go(?:es)?|went)\\s+(?:on|over|through)|deal(?:s|t|ing)?\\s+with|look(?:ed)?\\s+(?:at|into)|refer(?:s|red|ring)?\\s+to)';
/** What sessions do besides. */
const HOLDS = `(?:${TALKED}|(?:is|are|was|were)\\s+(?:about|on)|contain(?:s|ing)?|concern(?:s|ing)?|includ(?:es?|ing)|involv(?:es?|ing)|relat(?:es?|ed|ing)\\s+to|(?:has|have|had)\\s+to\\s+do\\s+with)`;
const ABOUT = '(?:about|on|regarding|concerning|with)';
/** "session with an expired cookie" names its topic. */
const OF = '(?:about|regarding|concerning)';
const THAT = '(?:where|in\\s+which|when|that|which)';
const START = '(?<=^[\\s\\0,:]{0,40})';
const TO = `(?:\\s+(?:(?:to|from|for)\\s+)?(?:you|it|the\\s+agent|${AGENT})|\\s+for)?`;
/** The words of a user: "what did I ask about X", "my own prompts on X", "what have I been asking about X". */
const SAID =
  '(?:ask(?:ed|ing)?|sa(?:y|id|ying)|writ(?:e|ten|ing)|wrote|typ(?:e|ed|ing)|request(?:ed|ing)?|tell|told|telling|prompt(?:ed|ing)?|want(?:ed)?|complain(?:ed|ing)?|call(?:ed)?|mention(?:ed)?|phrase(?:d)?|br(?:ing|ought)\\s+up)';
const WORDS = '(?:words|prompts?|messages?|questions?|requests?|wording|input|side)';
const THINGS =
  '(?:what|everything|anything|something|all|(?:the\\s+|a\\s+)?(?:things?|stuff|prompts?|messages?|questions?|requests?))(?:\\s+(?:that|where|in\\s+which))?';
/** What the topic follows, or the end. */
const GOES_ON = `(?:\\s+${ABOUT}|(?=\\s+(?:to|in|last|yesterday|today|this|since|before)\\s)|(?=[\\s?.!]{0,9}(?:$|\\0|[:,])))`;

/** The user's own words as a restriction: "only my own words", "what I typed", "from me only". Some need "only" or a preposition. */
export const OWN_WORDS = new RegExp(
  `(?:(?:only|just)\\s+)?(?:(?:in|from|by|on)\\s+)?(?:my\\s+(?:own\\s+)?${WORDS}|(?:the\\s+)?users?(?:['’]s?)?\\s+${WORDS}|me|mine|${THINGS}\\s+i\\s+(?:(?:have|had|ever)\\s+)?${SAID}${TO}|(?:said|written|typed|asked)\\s+by\\s+me)(?:\\s+only)?(?=$|[\\s,:;?.!)\\]\\0])`,
  'iy',
);

/** Words of asking, and the agent that was asked as they name it. */
export interface Asking extends Mention {
  agent?: string | undefined;
}

/** The user's own words alone are wanted. */
export const MINE: Mention['understood'] = [{ kind: 'mine', value: 'true', text: 'in your own words' }];

type Meaning = Omit<Asking, 'start' | 'end' | 'agent'>;
const ASKED: Meaning = { understood: [], needsTopic: true };
const OWN: Meaning = { understood: MINE, needsTopic: true, mine: true };
/** It may ask for all sessions. */
const LISTED: Meaning = { understood: [] };
const COMMITS: Meaning = { understood: COMMITTED, outcomes: ['committed'] };

/** The first that a query has counts. */
const FORMS: [Meaning, ...string[]][] = [
  [
    OWN,
    `${START}(?:did|have|had)\\s+i\\s+(?:ever\\s+)?(?:(?:ask(?:ed)?|tell|told)\\s+${AGENT}|(?:tell|told)\\s+you|ask(?:ed)?(?:\\s+you)?|sa(?:y|id)|mention(?:ed)?|complain(?:ed)?|writ(?:e|ten)|br(?:ing|ought)\\s+up)(?:\\s+(?:anything|something))?(?:\\s+${ABOUT})?`,
    `${START}(?:what|where|when|how(?:\\s+(?:often|many\\s+times))?)\\s+(?:did|have|had|was|were)\\s+i\\s+(?:(?:been|ever|first|just|last|originally|actually)\\s+)?${SAID}${TO}(?:\\s+${ABOUT})?`,
    `${START}i\\s+(?:(?:have|had)\\s+)?${SAID}${TO}\\s+${OF}`,
    `${START}${SHOW}(?:which\\s+)?(?:(?:all|only)\\s+)?(?:of\\s+)?(?:my\\s+(?:own\\s+)?${WORDS}|${WORDS}\\s+of\\s+mine)(?:\\s+(?:that\\s+)?(?:${TALKED}|${ABOUT})|(?=[\\s?.!]{0,9}(?:$|\\0)))`,
    `${START}${SHOW}(?:(?:only|just)\\s+)?${THINGS}\\s+i\\s+(?:(?:have|had|ever)\\s+)?${SAID}${TO}${GOES_ON}`,
    `[\\s,]{1,3}(?:in\\s{1,3}my\\s{1,3}own\\s{1,3}words|i\\s{1,3}asked\\s{1,3}(?:you\\s{1,3})?about)(?=[\\s?.!]{0,9}(?:$|\\0))`,
  ],
  [
    COMMITS,
    `${START}(?:the\\s+)?commits?\\s+(?:that\\s+)?(?:we|i|you)\\s+(?:made|did|wrote|pushed)(?:\\s+(?:for|to|on|about|in))?`,
  ],
  [
    ASKED,
    `${START}(?:please\\s+)?remind\\s+me\\s+(?:of\\s+)?(?:what|when|where|how)\\s+${WHO}\\s+${HELPERS}(?:${TALKED}|said(?:\\s+(?:on|about))?)`,
    // "list every session that mentions", "the chat where we discussed", "sessions about"
    `${START}(?:${SHOW}|(?:is|are|was|were)\\s+there\\s+)${SESSIONS}\\s+(?:(?:that|which)\\s+)?(?:(?:${THAT}\\s+)?${WHO}\\s+)?${HELPERS}(?:${HOLDS}|${OF})`,
    // "in which chats did we touch", "which session was about", "what sessions do we have on"
    `${START}(?:in\\s+|from\\s+)?(?:which|what)\\s+(?:of\\s+(?:the|our|my)\\s+)?(?:past\\s+|old\\s+)?${NOUN}\\s+(?:${AUXILIARY}\\s+${WHO}(?:\\s+${HELPERS}(?:${TALKED}|(?:have|had)\\s+${ABOUT}))?|${HELPERS}(?:${HOLDS}|${OF}))`,
    `${START}(?:(?:do|did)\\s+we\\s+have|have\\s+we|(?:is|are|was|were)\\s+there|where\\s+(?:is|are|was|were))\\s+${SESSIONS}\\s+${ABOUT}`,
    `${START}${SHOW}${SESSIONS}\\s+${THAT}\\s+${WHO}`,
    // "sessions in web-shop about sharding", after the repository was read
    `${START}${SHOW}${SESSIONS}(?=\\s{1,9}\\0[\\s\\0]{1,200}${OF}\\s)`,
    `${START}(?:what|when|where|how\\s+often)\\s+(?:did|have|had)\\s+${WHO}\\s+(?:(?:ever|last)\\s+)?(?:${TALKED}|sa(?:id|y)\\s+(?:about|on))`,
    `${START}what\\s+(?:was|were)\\s+(?:said|discussed|mentioned)\\s+(?:about|on)`,
    `${START}${THAT}\\s+${WHO}\\s+${HELPERS}${TALKED}`,
    // "codex sessions that mention", after the agent was read
    `(?<=\\0\\s{0,9})(?:that|which)\\s+${HELPERS}${HOLDS}`,
    `${START}(?:have|did)\\s+${WHO}\\s+(?:(?:ever|already)\\s+)?${TALKED}`,
    `${START}(?:do|can)\\s+you\\s+(?:still\\s+)?remember(?:\\s+(?:that|if|whether))?`,
    `${START}${SHOW}(?:anything|everything|(?:the\\s+)?stuff|(?:all\\s+)?(?:the\\s+)?things?|that\\s+thing)(?:\\s+(?:we|i)\\s+(?:have|know|did))?\\s+(?:${ABOUT}|to\\s+do\\s+with|with)(?=\\s)`,
  ],
  [
    LISTED,
    `${START}(?:please\\s+)?(?:find|show|list|give|get|search(?:\\s+for)?|look\\s+for)\\s+(?:me\\s+)?${SESSIONS}(?=[\\s?.!]{0,9}(?:$|\\0)|\\s+(?:about|after|before|between|during|from|in|last|of|on|since|this|until|where|with|yesterday)\\b)`,
  ],
];

const PHRASES = FORMS.flatMap(([means, ...sources]) =>
  sources.map((source) => [means, new RegExp(`${source}(?=$|[\\s,:?.!\\0])`, 'gi')] as const),
);

/** Words of asking: "show me all sessions where we discussed", "what did I ask about". */
export function readAsking(masked: string): Asking[] {
  for (const [means, phrase] of PHRASES)
    for (const { 0: whole, index, ...groups } of masked.matchAll(phrase))
      return [{ ...means, start: index, end: index + whole.length, agent: groups[1] ?? groups[2] }];
  return [];
}
