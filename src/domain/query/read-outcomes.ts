import type { Outcome } from '../session/session.ts';
import type { Mention } from './understanding.ts';

const WHICH = '(?:the\\s+)?(?:ones?|sessions?|chats?|conversations?)\\s+';
const DONE =
  '(?:(?:that|which)\\s+(?:(?:was|were|got|is|are|has|had|been|ended|up|we|i)\\s+)*|(?:where|in\\s+which)\\s+(?:we|i|it|something)\\s+(?:(?:was|got|had|have|only|just)\\s+)*)';

const KINDS: { phrase: RegExp; outcomes: Outcome[]; text: string }[] = [
  {
    phrase: new RegExp(`\\b${WHICH}${DONE}(?:committed|made\\s+(?:a\\s+)?commits?)\\b`, 'gi'),
    outcomes: ['committed'],
    text: 'committed',
  },
  {
    phrase: new RegExp(
      `\\b${WHICH}${DONE}(?:edited|changed|wrote|modified)\\s+(?:the\\s+|any\\s+|some\\s+)?(?:files|code)\\b`,
      'gi',
    ),
    outcomes: ['edited', 'committed'],
    text: 'changed files',
  },
  {
    // "Where we discussed it" may have ended in a commit.
    phrase: new RegExp(
      `\\b${WHICH}(?:(?:that|which)\\s+|(?:where|in\\s+which)\\s+(?:we|i|it)\\s+)(?:(?:was|were|is|are|had|have)\\s+)?(?:only|just|merely)\\s+(?:discussed|talked)(?:\\s+(?:it|about\\s+it))?\\b`,
      'gi',
    ),
    outcomes: ['discussed'],
    text: 'discussed only',
  },
];

/** The beginning of every phrase. Compiling all phrases takes longer than testing this. */
const SIGN = /(?:one|session|chat|conversation)s?\s+(?:that|which|where|in)\b/i;

/** Outcomes: "the one that was committed". */
export function readOutcomes(masked: string): Mention[] {
  if (!SIGN.test(masked)) return [];
  return KINDS.flatMap(({ phrase, outcomes, text }) =>
    Array.from(
      masked.matchAll(phrase),
      ({ 0: whole, index }): Mention => ({
        start: index,
        end: index + whole.length,
        outcomes,
        understood: [{ kind: 'outcome', value: outcomes.join(','), text }],
      }),
    ),
  );
}
