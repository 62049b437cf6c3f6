import type { AskedQuestion } from '../../../session/transcript-event.ts';
import { clip } from '../../../text/clip.ts';
import { CONFIDENCE } from '../../confidence.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, noteIdea } from '../note-idea.ts';

const MAX_ASKED = 4;
const MAX_QUESTIONS = 8;
const MAX_OPTIONS = 8;
const LONGEST_OPTION = 120;
const LONGEST_KEY = 400;

/** A multiple-choice question of the agent. If it stays unanswered, the conversation goes on elsewhere. */
export function addAsked(state: MemoryState, call: string, questions: AskedQuestion[], at: Place): void {
  const asked = questions.slice(0, MAX_QUESTIONS).map(({ key, question, options }) => ({
    key: clip(key, LONGEST_KEY),
    text: clip(question, LONGEST_KEY),
    options: options.slice(0, MAX_OPTIONS).map((option) => clip(option, LONGEST_OPTION)),
    idea: noteIdea(state, at, {
      kind: 'question',
      content: question,
      evidence: 'choice',
      confidence: CONFIDENCE.asked,
      isOpen: true,
    }),
  }));
  state.asked = [...state.asked.slice(-MAX_ASKED + 1), { call, questions: asked }];
  state.turn.asked.push(...asked.flatMap(({ idea }) => idea ?? []));
}

/** An answer is a decision for one option and against the others. */
export function addAnswered(
  state: MemoryState,
  call: string,
  answers: { key: string; answer: string }[],
  at: Place,
): void {
  const asked = state.asked.find((one) => one.call === call);
  state.asked = state.asked.filter((one) => one.call !== call);
  for (const { key, answer } of answers) {
    const question = asked?.questions.find((one) => one.key === clip(key, LONGEST_KEY));
    const text = state.open.find(({ index }) => index === question?.idea)?.content ?? question?.text ?? key;
    noteIdea(state, at, {
      kind: 'decision',
      content: `${text} ${answer.replace(/ \(Recommended\)$/, '')}`,
      quote: answer,
      evidence: 'choice',
      confidence: CONFIDENCE.choice,
      options: (question?.options ?? []).filter((option) => !isChosen(option, answer)),
      relations: question?.idea == null ? [] : [{ kind: 'answers', to: question.idea, confidence: 1 }],
    });
    closeIdea(state, question?.idea ?? null);
  }
}

function isChosen(option: string, answer: string): boolean {
  return (
    answer === option ||
    (option.endsWith('…') && answer.startsWith(option.slice(0, -1))) ||
    answer.split(', ').includes(option)
  );
}
