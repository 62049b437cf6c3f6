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

/** "the gradient that was committed": what was done, unlike "the file that was committed". */
const COMMITTED_WORK =
  /(?<=([\p{L}\p{N}_.-]{1,40})\s{1,3})(?:that|which)\s{1,3}(?:was|were|got|is|are|has\s{1,3}been|have\s{1,3}been)\s{1,3}(?:finally\s{1,3}|already\s{1,3})?committed(?=[\s?.!]{0,9}(?:$|\0))/giu;
const COMMITTED_THING =
  /^(?:files?|secrets?|keys?|tokens?|passwords?|code|changes?|credentials?|node_modules|lockfiles?|binar(?:y|ies)|folders?|director(?:y|ies)|artifacts?|images?|hash(?:es)?|configs?|everything|what|something|versions?|diffs?|hunks?|lines?)$/i;

export const COMMITTED: Mention['understood'] = [{ kind: 'outcome', value: 'committed', text: 'committed' }];

/** The beginning of every phrase. Compiling all phrases takes longer than testing this. */
const SIGN =
  /\b(?:that|which)\s+(?:\w+\s+)?\w+\s+committed\b|(?:one|session|chat|conversation)s?\s+(?:that|which|where|in)\b/i;

/** Outcomes: "the one that was committed". */
export function readOutcomes(masked: string): Mention[] {
  if (!SIGN.test(masked)) return [];
  const work = Array.from(masked.matchAll(COMMITTED_WORK))
    .filter(({ 1: word = '' }) => !COMMITTED_THING.test(word) && !word.includes('.'))
    .map(
      ({ 0: whole, index }): Mention => ({
        start: index,
        end: index + whole.length,
        outcomes: ['committed'],
        understood: COMMITTED,
      }),
    );
  const phrases = KINDS.flatMap(({ phrase, outcomes, text }) =>
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
  return phrases.length > 0 ? phrases : work;
}
