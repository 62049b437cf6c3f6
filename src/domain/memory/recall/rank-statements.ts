import type { LexicalTokenizer } from '../../search/lexical.ts';
import { endsWithQuestion, isPassingCheck, isProcessTalk } from '../text/sentences.ts';
import { formOf, type QuestionForm } from './question-form.ts';
import type { SaidMessage, Statement } from './read-statements.ts';

/** One or two statements of a message that may answer a question. */
export interface Quotation {
  message: SaidMessage;
  /** The prompt of its turn; null if it is not among the passages, or is the message itself. */
  prompt: SaidMessage | null;
  /** Positions of the statements in the message. */
  first: number;
  last: number;
  /** Whether the heading above it has words of the question that it lacks. */
  headed: boolean;
  signs: Signs;
}

export interface Asking {
  question: string;
  /** The question's stems and their weights. */
  stems: Map<string, number>;
}

/** What makes a quotation an answer, each 0 to 1. */
const SIGNS = [
  // Shares of the question's words, by rarity: in the statement, and what each wider text adds.
  'own',
  'quoted',
  'label',
  'beside',
  'near',
  'message',
  'prompt',
  'before',
  // How many of the question's words it has, and how long its message is.
  'words',
  'crowd',
  // Its form.
  'says',
  'hints',
  'ident',
  'asks',
  'process',
  'commits',
  'code',
  'heading',
  'long',
  // Its place.
  'report',
  'reply',
  'user',
  'early',
] as const;
/** The session's score as a share of the best one, whether it is the first, and the confidence of an idea that the quotation states. */
type OtherSign = 'session' | 'first' | 'idea';
type Sign = (typeof SIGNS)[number];
type Signs = Record<Sign, number>;

/** Fitted on 215 questions about transcripts (docs/memory.md). */
const WEIGHTS: Record<Sign | OtherSign, number> = {
  own: 1.08,
  quoted: 0.85,
  label: 0.69,
  beside: 0.65,
  near: 0.49,
  message: 0.38,
  prompt: 0.38,
  before: 0.28,
  words: 0.3,
  crowd: -0.15,
  says: 0.22,
  hints: 0.08,
  ident: 0.09,
  asks: -0.35,
  process: -0.26,
  commits: -0.17,
  code: -0.17,
  heading: -0.26,
  report: 0.15,
  reply: 0.15,
  user: -0.1,
  early: 0.06,
  long: 0.2,
  session: 0.67,
  first: 0.1,
  idea: 0.07,
};

export function scoreSigns(signs: Record<Sign | OtherSign, number>): number {
  return Object.entries(WEIGHTS).reduce((sum, [sign, weight]) => sum + weight * signs[sign as Sign], 0);
}

/** Characters of a quotation. */
const LONGEST = 400;
/** Of shorter statements, two count as one. */
const SHORT = 120;
const MOST = 2;
const MANY_WORDS = 5;
const MANY_STATEMENTS = 63;

/** Every statement as an answer. */
export function findQuotations(
  messages: SaidMessage[],
  { question, stems }: Asking,
  tokenizer: LexicalTokenizer,
): Quotation[] {
  const total = [...stems.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const form = formOf(question);
  const wanted = new Set(stems.keys());
  const stemsIn = (text: string) => new Set(tokenizer.locate(text, wanted).map(({ stem }) => stem));
  const held = messages.map(({ statements }) =>
    statements.map(({ text, label }) => ({ own: stemsIn(text), label: stemsIn(label) })),
  );
  const whole = held.map((statements) => union(statements.map(({ own }) => own)));
  return messages.flatMap((message, at) => {
    const promptAt = promptOf(messages, at);
    const prompt = promptAt === null ? null : (messages[promptAt] ?? null);
    const own = held[at] ?? [];
    const ofPlace = placeOf(messages, at);
    const weigh = (one: number) => sumOf(own[one]?.own ?? new Set(), stems);
    return message.statements.flatMap((statement, index): Quotation[] => {
      const shape = shapeOf(statement, form, stems, tokenizer);
      if (shape === null) return [];
      const { first, last } = widen(message, index, weigh);
      const around = (more: number) =>
        union(own.slice(Math.max(0, first - more), last + 1 + more).map((one) => one.own));
      const seen = new Set<string>();
      const adds = (stemsOf: Set<string> | undefined) => {
        const fresh = [...(stemsOf ?? [])].filter((stem) => !seen.has(stem));
        for (const stem of fresh) seen.add(stem);
        return sumOf(new Set(fresh), stems) / total;
      };
      const shares = {
        own: adds(own[index]?.own),
        quoted: adds(around(0)),
        label: adds(own[first]?.label),
        beside: adds(around(1)),
        near: adds(around(3)),
        message: adds(whole[at]),
        prompt: adds(promptAt === null ? undefined : whole[promptAt]),
        before: adds(whole[at - 1]),
      };
      const headed = !message.isReply && shares.label > 0;
      const early = 1 - index / Math.max(1, message.statements.length);
      const length = message.statements
        .slice(first, last + 1)
        .reduce((sum, { text }) => sum + text.length, 0);
      const signs = {
        ...shares,
        ...shape,
        ...ofPlace,
        words: Math.min(1, around(0).size / MANY_WORDS),
        crowd: Math.min(1, Math.log2(1 + message.statements.length) / Math.log2(1 + MANY_STATEMENTS)),
        early,
        long: Math.min(1, length / LONGEST),
      };
      return [{ message, prompt, first, last, headed, signs }];
    });
  });
}

function sumOf(held: Set<string>, stems: Map<string, number>): number {
  return [...held].reduce((sum, stem) => sum + (stems.get(stem) ?? 0), 0);
}

/** How much a statement looks like an answer, whatever it is about; null if it says nothing but the question. */
function shapeOf(
  { text, form: is }: Statement,
  form: QuestionForm,
  stems: Map<string, number>,
  tokenizer: LexicalTokenizer,
) {
  if (!tokenizer.words(text).some(({ stop, stem }) => !stop && !stems.has(stem))) return null;
  return {
    says: Number(form.says?.test(text) === true),
    hints: Number(form.hints?.test(text) === true),
    ident: Number(/`[^`]+`|\b[a-z]+[A-Z_]\w*/.test(text)),
    asks: Number(endsWithQuestion(text)),
    process: Number(isProcessTalk(text) || isPassingCheck(text)),
    commits: Number(COMMITS.test(text)),
    code: Number(is === 'code'),
    heading: Number(is === 'heading'),
  };
}

/** Reports of commits and of the working tree. */
const COMMITS =
  /\b(?:commit(?:ted|s|ting)?|staged?|working tree|pre-commit|pushed|branch is|changes are unrelated|untracked|all \d+ tests|tests pass)\b/i;

function placeOf(messages: SaidMessage[], at: number) {
  const message = messages[at];
  return {
    report: Number(message?.by === 'agent' && isLast(messages, at)),
    reply: Number(message?.isReply === true),
    user: Number(message?.by === 'user' && !message.isReply),
  };
}

/** Adds the statement after or before, whichever says more of the question, while the quotation stays short; a list after its colon. */
function widen(
  { statements }: SaidMessage,
  index: number,
  weigh: (index: number) => number,
): { first: number; last: number } {
  const length = (at: number) => statements[at]?.text.length ?? Number.POSITIVE_INFINITY;
  const isShort = (at: number) => length(at) < SHORT;
  let room = LONGEST - length(index);
  let [first, last] = [index, index];
  let sentences = isShort(index) ? 0 : 1;
  for (;;) {
    const fits = (at: number) => length(at) < room && (statements[at]?.form !== 'heading' || at === index);
    const [before, after] = [fits(first - 1), fits(last + 1)];
    const takesList = statements[last]?.text.endsWith(':') === true && after;
    if ((!before && !after) || (sentences >= MOST && !takesList)) return { first, last };
    const takesBefore = before && !takesList && (!after || weigh(first - 1) > weigh(last + 1));
    const taken = takesBefore ? first - 1 : last + 1;
    [first, last] = takesBefore ? [taken, last] : [first, taken];
    room -= length(taken) + 1;
    sentences += isShort(taken) ? 0.5 : 1;
  }
}

/** The prompt of a message's turn. */
function promptOf(messages: SaidMessage[], at: number): number | null {
  const { turn } = messages[at] ?? {};
  for (let before = at - 1; before >= 0; before -= 1) {
    const message = messages[before];
    if (message === undefined || message.turn !== turn) return null;
    if (message.by === 'user' && !message.isReply) return before;
  }
  return null;
}

/** Whether a message ends its turn. */
function isLast(messages: SaidMessage[], at: number): boolean {
  const next = messages.slice(at + 1).find(({ isIdea }) => isIdea !== true);
  return messages[at]?.isIdea !== true && next?.turn !== messages[at]?.turn;
}

function union(sets: Set<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
