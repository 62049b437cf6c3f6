import type { LexicalTokenizer } from '../../search/lexical.ts';
import { isPassingCheck, isProcessTalk } from '../text/sentences.ts';
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
  /** Comparable within one answer. */
  score: number;
}

export interface Wanted {
  question: string;
  /** The question's stems and their weights. */
  stems: Map<string, number>;
}

/** How much a word of the question counts, by its distance from the statement. */
const NEAR = { own: 1, label: 0.75, beside: 0.6, prompt: 0.5, message: 0.4, before: 0.3, turn: 0.25 };
const SAYS = 0.12;
const NAMES = 0.1;
const REPORT = 0.06;
const BY_USER = -0.08;
const REPLY = 0.15;
const QUESTION = -0.35;
const PROCESS = -0.25;
const CODE = -0.15;
const HEADING = -0.3;
/** The question in other words: no answer. */
const NOTHING_NEW = -10;
const LITTLE_NEW = -0.2;
/** Characters of a quotation. */
const LONGEST = 320;
/** Items of lists are shorter than sentences, and two of them count as one. */
const SHORT = 80;
const MOST = 2;

/** Every statement as an answer, best first. */
export function rankStatements(
  messages: SaidMessage[],
  { question, stems }: Wanted,
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
  const quotations: Quotation[] = [];
  for (const [at, message] of messages.entries()) {
    const promptAt = promptOf(messages, at);
    const prompt = promptAt === null ? null : whole[promptAt];
    const turn = union(whole.filter((_, other) => messages[other]?.turn === message.turn));
    const isReport = message.by === 'agent' && isLast(messages, at);
    for (const [index, statement] of message.statements.entries()) {
      const own = held[at]?.[index];
      if (own === undefined) continue;
      const near: [Set<string> | null | undefined, number][] = [
        [own.own, NEAR.own],
        [own.label, NEAR.label],
        [held[at]?.[index - 1]?.own, NEAR.beside],
        [held[at]?.[index + 1]?.own, NEAR.beside],
        [prompt, NEAR.prompt],
        [whole[at], NEAR.message],
        [whole[at - 1], NEAR.before],
        [turn, NEAR.turn],
      ];
      let covered = 0;
      for (const [stem, weight] of stems)
        covered += weight * Math.max(0, ...near.map(([set, share]) => (set?.has(stem) ? share : 0)));
      const score =
        covered / total +
        shapeOf(statement, form, stems, tokenizer) +
        (isReport ? REPORT : 0) +
        (message.isReply ? REPLY : message.by === 'user' ? BY_USER : 0);
      const promptMessage = promptAt === null ? null : (messages[promptAt] ?? null);
      const { first, last } = widen(message, index, (one) => sumOf(held[at]?.[one]?.own, stems));
      const quoted = union((held[at] ?? []).slice(first, last + 1).map((one) => one.own));
      const headed =
        !message.isReply && [...(held[at]?.[first]?.label ?? [])].some((stem) => !quoted.has(stem));
      quotations.push({ message, prompt: promptMessage, first, last, headed, score });
    }
  }
  return quotations.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}

function sumOf(held: Set<string> | undefined, stems: Map<string, number>): number {
  return [...(held ?? [])].reduce((sum, stem) => sum + (stems.get(stem) ?? 0), 0);
}

/** How much a statement looks like an answer, whatever it is about. */
function shapeOf(
  { text, form: is }: Statement,
  form: QuestionForm,
  stems: Map<string, number>,
  tokenizer: LexicalTokenizer,
): number {
  let score = 0;
  if (form.says?.test(text) === true) score += SAYS;
  const fresh = tokenizer.words(text).filter(({ stop, stem }) => !stop && !stems.has(stem));
  if (fresh.length === 0) return NOTHING_NEW;
  if (fresh.length < 2) score += LITTLE_NEW;
  if (form.names && namesNew(text, fresh)) score += NAMES;
  if (/[?？]["')\]*`]{0,3}$/.test(text)) score += QUESTION;
  if (isProcessTalk(text) || isPassingCheck(text)) score += PROCESS;
  if (is === 'code') score += CODE;
  if (is === 'heading') score += HEADING;
  return score;
}

/** Whether a text has a name, a value or a path that is not in the question. */
function namesNew(text: string, fresh: { word: string }[]): boolean {
  if (fresh.length === 0) return false;
  return /`[^`]+`|\d|[/\\]\w|\b[a-z]+[A-Z_]\w*|(?<=\S\s)[A-Z][\w-]+|"[^"]+"/.test(text);
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

/** The words of a quotation, with the heading above it. */
export function quotedText({ message, first, last, headed }: Quotation): string {
  const said = message.statements.slice(first, last + 1);
  const label = headed ? `${said[0]?.label}: ` : '';
  return label + said.map(({ text }) => text).join(' ');
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
