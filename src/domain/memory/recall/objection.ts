import { errorSignature } from '../text/error-signature.ts';
import { endsWithQuestion } from '../text/sentences.ts';
import type { SaidMessage } from './read-statements.ts';

/** What the prompt after a turn says against it: its first words, or the error that the turn was asked to end. */
interface Objection {
  why: 'denied' | 'repeated';
  turn: number;
  timestamp: string | null;
  text: string;
}

/**
 * What the next prompt says against the agent's message; null if nothing.
 * @param messages of the same conversation, in order
 */
export function objectionTo(message: SaidMessage, messages: SaidMessage[]): Objection | null {
  const { turn, by } = message;
  if (by === 'user' || turn === null) return null;
  const prompt = promptIn(messages, turn);
  const next = promptIn(messages, turn + 1);
  if (next === undefined) return null;
  const { timestamp } = next;
  const opening = next.statements.slice(0, OPENING).map(({ text }) => text);
  const last = messages.findLast((one) => one.turn === turn && one.by === 'agent')?.statements.at(-1)?.text;
  // "No" may answer a question instead.
  const denies = opening.join(' ').match(DENIAL) !== null && (last === undefined || !endsWithQuestion(last));
  if (denies || (opening[0] ?? '').match(FAILED) !== null)
    return { why: 'denied', turn: turn + 1, timestamp, text: opening.join(' ') };
  const before = new Set(prompt === undefined ? [] : errorsIn(prompt).map(errorSignature));
  const error = errorsIn(next).find((line) => before.has(errorSignature(line)));
  return error === undefined ? null : { why: 'repeated', turn: turn + 1, timestamp, text: error };
}

/** Statements of a prompt that say what it thinks of the turn before. */
const OPENING = 3;
const DENIAL =
  /^(?:(?:ok(?:ay)?|uh+|um+|hm+|ah+|oh|well|sorry|wait)\b[\s.,!…]{1,4})*(?:no|nope|wrong)\b(?! (?:problem|worries|need|rush|thanks|thank|longer|more|one|idea|changes?))|^I(?:'|’)?(?:ve| have)? reverted your\b/i;
const FAILED =
  /\b(?:still (?:fail|broken|crash|not|does|doesn|isn|get|see|happen|the same)|(?:did|does|is)(?: not|n['’]?t) (?:work|help|fix)|same (?:error|problem|issue|failure)|fails? again|failed again|not fixed)/i;

function promptIn(messages: SaidMessage[], turn: number): SaidMessage | undefined {
  return messages.find((one) => one.turn === turn && one.by === 'user' && !one.isReply);
}

/** Lines that tell of an error in a few words at least. */
function errorsIn({ statements }: SaidMessage): string[] {
  return statements
    .map(({ text }) => text)
    .filter((line) => ERROR.test(line) && (line.match(/\p{L}{2,}/gu)?.length ?? 0) >= LEAST_WORDS);
}

const ERROR = /error\b|\b(?:exception|fatal|panic(?:ked)?|failed)\b/i;
const LEAST_WORDS = 4;
