import { candidateOf } from './collect-candidates.ts';
import type { Answer } from './match-question.ts';
import { relationsAmong } from './relations-among.ts';
import type { Question, QuestionDependencies } from './understand-question.ts';

const MAX_LISTED = 1000;

/** Answers a question that names a kind but no topic: "open questions". */
export async function newestIdeas(deps: QuestionDependencies, question: Question): Promise<Answer> {
  const { memory, wanted } = question;
  const { kinds, open } = wanted;
  const only = { ...memory, kinds: kinds ?? memory.kinds, open: open ?? memory.open };
  // The first kind is the one that was named; the others answer questions about it too.
  const [named] = memory.kinds === undefined && open === null ? (kinds ?? []) : [];
  const ofKind =
    named === undefined ? [] : await deps.store.listMemory('idea', { ...only, kinds: [named] }, MAX_LISTED);
  const listed = ofKind.length > 0 ? ofKind : await deps.store.listMemory('idea', only, MAX_LISTED);
  const related = await relationsAmong(deps, question, listed);
  const ideas = listed.map(related.now).filter(({ is_open }) => (only.open ?? is_open) === is_open);
  const ranked = ideas.map((payload, at) => ({
    payload,
    candidate: candidateOf(payload),
    score: 1 - at / MAX_LISTED,
  }));
  return {
    ranked,
    related,
    answers: [],
    sessions: [],
    stems: new Map(),
    mode: 'keyword',
    fits: true,
    notices: [],
  };
}
