import { MASK } from '../../query/understanding.ts';
import type { IdeaKind } from '../../session/ideas.ts';

/** The kinds of ideas that a query asks for. */
export interface KindsRead {
  kinds: IdeaKind[] | null;
  open: boolean | null;
  /** The words that say so, [start, end), and how they are shown. */
  mention: { start: number; end: number; text: string } | null;
}

interface Phrase {
  pattern: RegExp;
  kinds: IdeaKind[];
  open?: boolean;
  shown: string;
}

const ABOUT = '(?:\\s+(?:about|on|regarding|concerning|for|with|of|in))?';
const phrase = (source: string) => new RegExp(`(?<=^|[\\s,(])(?:${source})(?=$|[\\s?.,:!)])`, 'iu');

/** A kind that a query begins with, alone or before what it is about: "decisions", "problems with X". */
const leading = (nouns: string) =>
  new RegExp(
    `^\\s*(?:(?:all|the|our|my|list|show|latest|last|recent|newest)\\s+){0,3}(?:${nouns})(?=\\s*(?:$|[?.,:!${MASK}])|\\s+(?:about|on|regarding|concerning|for|with|of|in|from|since|before|after|during)\\s)${ABOUT}`,
    'iu',
  );

/** The first phrase that matches wins. The matched words are not searched for. */
const PHRASES: Phrase[] = [
  {
    pattern: phrase(
      `(?:(?:what|which)\\s+(?:questions\\s+)?(?:is|are|was|were)\\s+(?:still\\s+)?)?(?:open|unanswered|unresolved)\\s+questions?${ABOUT}`,
    ),
    kinds: ['question'],
    open: true,
    shown: 'open questions',
  },
  {
    pattern: phrase(`(?:answered|closed|resolved|settled)\\s+questions?${ABOUT}`),
    kinds: ['question'],
    open: false,
    shown: 'answered questions',
  },
  {
    pattern: phrase(
      `(?:what|which)\\s+(?:is|are|remains?|was|were)\\s+(?:still\\s+)?(?:left|open|missing|unfinished|to\\s+do)(?:\\s+to\\s+(?:do|be\\s+done))?${ABOUT}|(?:what|which)\\s+(?:todos?|tasks?|steps?)\\s+(?:is|are|remain)\\s+(?:still\\s+)?(?:left|open)${ABOUT}|(?:open|remaining|unfinished|pending|outstanding)\\s+(?:todos?|tasks?|steps?|work)${ABOUT}|what\\s+remains${ABOUT}|(?:todos?|to-dos?|open\\s+ends?|loose\\s+ends?|next\\s+steps?)${ABOUT}`,
    ),
    kinds: ['todo', 'question', 'problem'],
    open: true,
    shown: 'what is open',
  },
  {
    pattern: phrase(
      `(?:what|which|how)\\s+(?:did|have|had)\\s+(?:we|i|you|they)\\s+(?:decided?|chosen?|choose|agreed?|settled?)(?:\\s+to\\s+do)?${ABOUT}|(?:the\\s+)?(?:decisions?|choices?)\\s+(?:that\\s+)?(?:we\\s+(?:made|took)\\s+)?(?:about|on|regarding|for|of)|why\\s+did\\s+(?:we|i|you|they)\\s+(?:decide|choose|pick|select)(?:\\s+(?:on|to\\s+use|to))?|(?:did|have|had)\\s+(?:we|i|you|they)\\s+(?:choose|chosen|pick(?:ed)?|select(?:ed)?|(?:decided?|settled?|agreed?)\\s+(?:on|upon)|(?:go|gone)\\s+with)`,
    ),
    kinds: ['decision', 'conclusion'],
    shown: 'decisions',
  },
  {
    pattern: phrase(
      `how\\s+(?:did|do|have)\\s+(?:we|i|you|they)\\s+(?:fix(?:ed)?|solved?|resolved?|repair(?:ed)?|work(?:ed)?\\s+around)|(?:the\\s+)?(?:fix|fixes|solutions?|workarounds?)\\s+(?:for|to|of)`,
    ),
    kinds: ['solution', 'problem'],
    shown: 'solutions',
  },
  {
    pattern: phrase(
      `what\\s+(?:went|goes|was|is)\\s+wrong${ABOUT}|(?:the\\s+)?(?:problems?|issues?|trouble)\\s+(?:with|in|of)|when\\s+did\\s+(?:we|i|you)\\s+(?:last\\s+)?see(?:\\s+the\\s+error)?`,
    ),
    kinds: ['problem', 'solution'],
    shown: 'problems',
  },
  {
    pattern: phrase(
      `what\\s+(?:did|have)\\s+(?:we|i|you|they)\\s+(?:learn(?:ed|t)?|find\\s+out|found\\s+out|conclude[d]?)${ABOUT}|(?:the\\s+)?(?:conclusions?|findings?|insights?)\\s+(?:about|on|of|from)`,
    ),
    kinds: ['conclusion', 'solution'],
    shown: 'conclusions',
  },
];

const NOUNS: Phrase[] = [
  { pattern: leading('decisions?|choices'), kinds: ['decision', 'conclusion'], shown: 'decisions' },
  { pattern: leading('questions'), kinds: ['question'], shown: 'questions' },
  { pattern: leading('solutions?|fixes|workarounds?'), kinds: ['solution', 'problem'], shown: 'solutions' },
  { pattern: leading('problems?|issues'), kinds: ['problem', 'solution'], shown: 'problems' },
  {
    pattern: leading('conclusions?|findings?|insights?'),
    kinds: ['conclusion', 'solution'],
    shown: 'conclusions',
  },
];

export const NO_KINDS: KindsRead = { kinds: null, open: null, mention: null };

/**
 * Reads which kinds of ideas a query asks for: "decisions about X", "open questions", "what went wrong with X".
 * @param masked the query with the words already understood replaced by masks
 */
export function readKinds(masked: string): KindsRead {
  for (const { pattern, kinds, open, shown } of [...PHRASES, ...NOUNS]) {
    const match = pattern.exec(masked);
    if (match === null || match[0].includes(MASK)) continue;
    const mention = { start: match.index, end: match.index + match[0].length, text: shown };
    return { kinds, open: open ?? null, mention };
  }
  return NO_KINDS;
}

/** Whether the query asks for newer ideas first. */
export function asksForNewest(query: string): boolean {
  return /(?:^|\s)(?:last|latest|newest|recent(?:ly)?|current(?:ly)?|now|most\s+recent)(?=$|[\s?.,!])/iu.test(
    query,
  );
}
