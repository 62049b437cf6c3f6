import { AGENT } from './read-names.ts';
import type { Mention } from './understanding.ts';

/** Words that only ask for sessions, and say nothing about the one that is wanted. */
const SESSIONS =
  '(?:(?:all|any|every|each|each of|the|that|this|my|our|those|some|past|previous|earlier|old|one|a|an)\\s+){0,4}(?:sessions?|conversations?|chats?|discussions?|threads?|transcripts?|ones?)';
const SHOW =
  "(?:please\\s+)?(?:(?:can|could|would)\\s+you\\s+(?:please\\s+)?|i\\s+(?:want|need)\\s+to\\s+(?:see|find)\\s+|i(?:['’]m|\\s+am)\\s+looking\\s+for\\s+)?(?:(?:show|find|list|give|get|bring\\s+up|pull\\s+up|search(?:\\s+for)?|look(?:\\s+for|\\s+up)?)\\s+)?(?:me\\s+|us\\s+)?";
const WHO = '(?:we|i|you|you\\s+and\\s+i)';
const TALKED =
  '(?:(?:discuss(?:ed|ing)?|mention(?:ed|ing)?|cover(?:ed)?|brought\\s+up)|(?:talk(?:ed|ing)?|spoke|spoken|chat(?:ted)?|ask(?:ed)?)\\s+(?:about|of|on|through)|(?:work(?:ed|ing)?|went)\\s+(?:on|over|through)|dealt\\s+with|looked\\s+(?:at|into))';
const HELPERS = '(?:(?:have|had|were|was|did|ever|also|last|once|already|been)\\s+){0,3}';
const ABOUT = '(?:about|on|regarding|concerning|with)';
/** "session with an expired cookie" names its topic. */
const OF = '(?:about|regarding|concerning)';
const THAT = '(?:where|in\\s+which|when|that|which)';
/** The words of a user: "what did I ask about X", "my own prompts on X", "what have I been asking about X". */
const OWN =
  '(?:(?:ask(?:ed|ing)?|sa(?:y|id|ying)|writ(?:e|ten|ing)|wrote|typ(?:e|ed|ing)|request(?:ed|ing)?|tell|told|telling|prompt(?:ed|ing)?|want(?:ed)?|complain(?:ed|ing)?|call(?:ed)?)(?:\\s+(?:you|for|it|the\\s+agent|' +
  AGENT +
  '))?)';
const START = '(?<=^[\\s\\0,:]{0,40})';

interface Form {
  phrase: RegExp;
  /** Only the user's own words are wanted. */
  mine?: true;
  /** Where the phrase is only said of sessions that made commits. */
  committed?: true;
  /** It may ask for all sessions. */
  lists?: true;
}

const form = (source: string) => new RegExp(`${source}(?=$|[\\s,:?.!\\0])`, 'gi');

const FORMS: Form[] = [
  {
    phrase: form(
      `${START}(?:did|have)\\s+i\\s+(?:ever\\s+)?(?:(?:ask(?:ed)?|tell|told)\\s+${AGENT}|ask|say|mention|complain|write|tell\\s+you)(?:\\s+${ABOUT})?`,
    ),
    mine: true,
  },
  {
    phrase: form(
      `${START}(?:please\\s+)?remind\\s+me\\s+(?:of\\s+)?(?:what|when|where|how)\\s+${WHO}\\s+${HELPERS}(?:${TALKED}|said(?:\\s+(?:on|about))?)`,
    ),
  },
  {
    phrase: form(
      `${START}what\\s+(?:did|have|had|was|were)\\s+i\\s+(?:(?:been|ever|just|last|originally|actually)\\s+)?${OWN}(?:\\s+${ABOUT})?`,
    ),
    mine: true,
  },
  {
    phrase: form(
      `${START}(?:where|when|how\\s+often)\\s+(?:did|have)\\s+i\\s+(?:(?:ever|last)\\s+)?${OWN}(?:\\s+${ABOUT})?`,
    ),
    mine: true,
  },
  {
    phrase: form(
      `${START}${SHOW}(?:(?:all|only)\\s+)?(?:of\\s+)?my\\s+(?:own\\s+)?(?:words|prompts?|messages|questions|requests|wording)(?:\\s+${ABOUT}|(?=[\\s?.!]{0,9}(?:$|\\0)))`,
    ),
    mine: true,
  },
  {
    phrase: form(
      `${START}${SHOW}(?:what|everything|anything)\\s+i\\s+(?:(?:have|had|ever)\\s+)?${OWN}(?:\\s+${ABOUT})?`,
    ),
    mine: true,
  },
  { phrase: form(`[\\s,]{1,3}in\\s{1,3}my\\s{1,3}own\\s{1,3}words(?=[\\s?.!]{0,9}(?:$|\\0))`), mine: true },
  {
    phrase: form(
      `${START}(?:the\\s+)?commits?\\s+(?:that\\s+)?(?:we|i|you)\\s+(?:made|did|wrote|pushed)(?:\\s+(?:for|to|on|about|in))?`,
    ),
    committed: true,
  },
  { phrase: form(`${START}${SHOW}${SESSIONS}\\s+(?:${THAT}\\s+)?${WHO}\\s+${HELPERS}${TALKED}`) },
  {
    phrase: form(
      `${START}${SHOW}${SESSIONS}\\s+(?:that\\s+|which\\s+)?(?:(?:is|are|was|were)\\s+)?${HELPERS}(?:${TALKED}|${OF})`,
    ),
  },
  { phrase: form(`${START}${SHOW}${SESSIONS}\\s+${THAT}\\s+${WHO}`) },
  // "sessions in web-shop about sharding", after the repository was read
  { phrase: form(`${START}${SHOW}${SESSIONS}(?=\\s{1,9}\\0[\\s\\0]{1,200}${OF}\\s)`) },
  {
    phrase: form(
      `${START}(?:please\\s+)?(?:find|show|list|give|get|search(?:\\s+for)?|look\\s+for)\\s+(?:me\\s+)?${SESSIONS}(?=[\\s?.!]{0,9}(?:$|\\0)|\\s+(?:about|after|before|between|during|from|in|last|mentioning|of|on|since|this|until|where|with|yesterday)\\b)`,
    ),
    lists: true,
  },
  {
    phrase: form(
      `${START}(?:what|when|where|how\\s+often)\\s+(?:did|have|had)\\s+${WHO}\\s+(?:(?:ever|last)\\s+)?(?:${TALKED}|sa(?:id|y)\\s+(?:about|on))`,
    ),
  },
  {
    phrase: form(`${START}what\\s+(?:was|were)\\s+(?:said|discussed|mentioned)\\s+(?:about|on)`),
  },
  { phrase: form(`${START}${THAT}\\s+${WHO}\\s+${HELPERS}${TALKED}`) },
  { phrase: form(`${START}(?:have|did)\\s+${WHO}\\s+(?:(?:ever|already)\\s+)?${TALKED}`) },
  { phrase: form(`${START}(?:do|can)\\s+you\\s+(?:still\\s+)?remember(?:\\s+(?:that|if|whether))?`) },
  {
    phrase: form(
      `${START}${SHOW}(?:anything|everything|(?:the\\s+)?stuff|(?:all\\s+)?(?:the\\s+)?things?|that\\s+thing)(?:\\s+(?:we|i)\\s+(?:have|know|did))?\\s+(?:${ABOUT}|to\\s+do\\s+with|with)(?=\\s)`,
    ),
  },
];

/** The beginning of every form. Compiling all of them takes longer than testing this. */
const SIGN =
  /\b(?:session|conversation|chat|discussion|thread|transcript|one)s?\b|\b(?:i|we|you)\b|\b(?:my|said|discussed|mentioned)\b|\b(?:any|every|some|that )?things?\b|\bstuff\b/i;

/** Words of asking, and the agent that was asked as they name it. */
export interface Asking extends Mention {
  agent?: string;
}

/** Words of asking: "show me all sessions where we discussed", "what did I ask about". */
export function readAsking(masked: string): Asking[] {
  if (!SIGN.test(masked)) return [];
  for (const { phrase, mine, committed, lists } of FORMS) {
    for (const { 0: whole, 1: agent, index } of masked.matchAll(phrase)) {
      const place = { start: index, end: index + whole.length };
      if (mine === true)
        return [
          {
            ...place,
            mine,
            ...(agent === undefined ? {} : { agent }),
            needsTopic: true,
            understood: [{ kind: 'mine', value: 'true', text: 'in your own words' }],
          },
        ];
      if (committed === true)
        return [
          {
            ...place,
            outcomes: ['committed'],
            understood: [{ kind: 'outcome', value: 'committed', text: 'committed' }],
          },
        ];
      return [{ ...place, understood: [], ...(lists === true ? {} : { needsTopic: true }) }];
    }
  }
  return [];
}
