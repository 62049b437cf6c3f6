import type { SessionRelation } from '../../../session/ideas.ts';
import { keyWords, overlap } from '../../text/sentences.ts';
import { switchedFrom } from '../../text/switched-from.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, type NewIdea, noteIdea } from '../note-idea.ts';

/** Notes a stated decision. It replaces the one that it takes back, and answers the questions just asked. */
export function noteDecision(state: MemoryState, at: Place, decision: NewIdea): number | null {
  const { questions, unanswered } = state.turn;
  const asked = decision.evidence === 'correction' ? [] : [...questions, ...unanswered];
  const relations = [
    ...replacedBy(state, decision.content),
    ...asked.map((to): SessionRelation => ({ kind: 'answers', to, confidence: 0.7 })),
  ];
  const idea = noteIdea(state, at, { ...decision, relations });
  if (idea !== null) for (const index of asked) closeIdea(state, index);
  return idea;
}

/** The latest decision that a sentence mentions, if it takes something back. */
function replacedBy({ decisions }: MemoryState, sentence: string): SessionRelation[] {
  const before = switchedFrom(sentence);
  if (before === null && !TAKES_BACK.test(sentence)) return [];
  const words = keyWords(before ?? sentence);
  const replaced = decisions.findLast(({ content }) => {
    const known = keyWords(content);
    if (before !== null) return words.size > 0 && overlap(words, known) === 1;
    return Math.min(words.size, known.size) >= 2 && overlap(words, known) >= 0.5;
  });
  const confidence = before === null ? 0.6 : 0.85;
  return replaced === undefined ? [] : [{ kind: 'supersedes', to: replaced.index, confidence }];
}

const TAKES_BACK =
  /^(?:no|nope|nah|actually)\b|\b(?:instead|rather|no longer|revert|undo|not|don(?:'|’)?t|never)\b/i;
