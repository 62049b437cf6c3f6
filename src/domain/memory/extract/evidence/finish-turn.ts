import { CONFIDENCE } from '../../confidence.ts';
import { closedIn, namesOnly } from '../../text/closed-names.ts';
import { saysLeft, withoutLeft } from '../../text/left.ts';
import { type Passage, sentencesIn } from '../../text/passages.ts';
import {
  isAgreement,
  isPassingCheck,
  isProcessTalk,
  isTelling,
  keyWords,
  overlap,
} from '../../text/sentences.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, leaveIdea, noteIdea } from '../note-idea.ts';
import { excerpt, statedIn } from './stated.ts';

/** The first sentence of a report is taken as the answer to the user's question. Returns whether it was noted. */
export function addAnswer(state: MemoryState, passages: Passage[], at: Place): boolean {
  const question = state.turn.questions.at(-1);
  const first = passages.find(isAnswer);
  state.turn.answered = true;
  if (question === undefined) return false;
  if (first === undefined) {
    // Whether passing checks are all there is to say, nobody knows.
    if (passages.some(({ text }) => isPassingCheck(text)))
      for (const index of state.turn.questions) leaveIdea(state, index);
    return false;
  }
  if (NO_ANSWER.test(first.text)) {
    // They stay open, whatever the user says next.
    state.turn.questions = [];
    return false;
  }
  const all = sentencesIn(first).filter((one) => !isPassingCheck(one));
  const sentences = all.filter((one) => !isAgreement(one));
  const onlyAgrees = all.length > 0 && sentences.length === 0;
  const isShort = (sentences[0]?.length ?? 0) < 60;
  const next = passages[passages.indexOf(first) + 1];
  const more =
    isShort && sentences.length < 2 && next !== undefined && next.form !== 'heading'
      ? ` ${excerpt(next.text)}`
      : '';
  const answer = (sentences.slice(0, isShort ? 2 : 1).join(' ') || excerpt(first.text)) + more;
  const isDecision = statedIn(answer, 'report')?.kind === 'decision';
  const isNoted = !onlyAgrees && answer.length >= SHORTEST_ANSWER && !answer.endsWith(':');
  if (isNoted)
    noteIdea(state, at, {
      kind: isDecision ? 'decision' : 'conclusion',
      content: answer,
      quote: first.raw,
      evidence: 'report',
      confidence: CONFIDENCE.answer,
      relations: [{ kind: 'answers', to: question, confidence: 0.7 }],
    });
  for (const index of state.turn.questions) closeIdea(state, index);
  state.turn.questions = [];
  return isNoted;
}

/** What the agent says may be the answer, where nothing shows whether its turn ends. */
export function closeQuestions(state: MemoryState, passages: Passage[]): void {
  const first = passages.find(isAnswer);
  if (first === undefined || NO_ANSWER.test(first.text)) return;
  for (const index of state.turn.questions) closeIdea(state, index);
}

function isAnswer(passage: Passage): boolean {
  const { form, text } = passage;
  if (form !== 'prose' || !isTelling(text) || isProcessTalk(text)) return false;
  const sentences = sentencesIn(passage);
  return sentences.length === 0 || !sentences.every((one) => isPassingCheck(one) || isProcessTalk(one));
}

/** In UTF-16 units; `Yes, I did.` says nothing on its own. */
const SHORTEST_ANSWER = 40;

const NO_ANSWER =
  /^(?:(?:sorry|honestly),? (?:but )?)?(?:i (?:do not|don['’]?t) know|i(?: a|['’])?m not sure|i (?:cannot|can['’]?t|could not|couldn['’]?t) (?:determine|find out|say|tell))\b/i;

/** The words of a report, except for what it says is left; computed once, if they are asked for. */
export function doneIn(text: string): () => Set<string> {
  let words: Set<string> | null = null;
  return () => {
    words ??= keyWords(withoutLeft(text));
    return words;
  };
}

/**
 * The agent's report closes those of the turn's requests whose words it repeats; whether others are done, nobody knows. It closes a problem
 * if something was changed.
 */
export function closeRequests(state: MemoryState, done: () => Set<string>): void {
  const { requests, worked } = state.turn;
  if (requests.length === 0) return;
  const asked = state.open.filter(({ index }) => requests.includes(index));
  for (const { index, kind, content } of asked)
    if (kind === 'problem' ? worked : overlap(keyWords(content), done()) >= 0.5) closeIdea(state, index);
    else if (kind !== 'problem') leaveIdea(state, index);
  state.turn.requests = asked.flatMap(({ index, kind }) => (kind === 'problem' ? index : []));
}

/**
 * A report closes the steps and requests whose words it repeats, unless it says that they are left. What an earlier report left is known
 * to be open only until the work goes on.
 */
export function closeWhatIsDone(state: MemoryState, done: () => Set<string>): void {
  const ofEarlierTurns = state.open.filter(
    ({ evidence, kind, turn }) =>
      evidence !== 'todo-list' &&
      kind !== 'question' &&
      turn < state.turn.number &&
      (kind !== 'problem' || state.turn.worked),
  );
  for (const { index, content, evidence } of ofEarlierTurns)
    if (overlap(keyWords(content), done()) >= 0.5) closeIdea(state, index);
    else if (evidence === 'report' && state.turn.worked) leaveIdea(state, index);
}

/** Whoever says that something is closed, by its name, closes what was said to be left of it. */
export function closeNamed(state: MemoryState, text: string): void {
  const left = state.open.filter(({ kind, isOpen }) => isOpen === true && kind !== 'question');
  if (left.length === 0) return;
  const closed = closedIn(text);
  for (const { index, content } of left) if (namesOnly(content, closed)) closeIdea(state, index);
}

/** Agents often end without ticking off the steps of their list: one is open only if the report says so. */
export function leaveSteps(state: MemoryState, text: string): void {
  const steps = state.open.filter(({ evidence, isOpen }) => evidence === 'todo-list' && isOpen === true);
  if (steps.length === 0) return;
  const said = text.split('\n').flatMap((line) => (saysLeft(line) ? keyWords(line) : []));
  for (const { index, content } of steps) {
    const step = keyWords(content);
    if (!said.some((words) => overlap(step, words) >= 0.5)) leaveIdea(state, index);
  }
}
