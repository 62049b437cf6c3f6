import type { IdeaPayload, SpanPayload } from '../point/point.ts';
import { isWritten } from '../session/ideas.ts';
import { isTentative } from './confidence.ts';

/**
 * A line of a session's summary: words of the transcript, and the turn that they are from, counted from 0. `summary`: sentences that a
 * model wrote, each backed by words of that turn.
 */
export interface SummaryLine {
  kind: 'summary' | 'asked' | 'decided' | 'found' | 'done' | 'open';
  text: string;
  turn: number;
  /** What answers the question with which the text begins; absent without a question. */
  answer?: string;
  /** Of `asked`: the number of prompts that are not listed, most of them between this one and the next. */
  more?: number;
}

/** What the user asked for in a turn. */
export interface Request {
  text: string;
  turn: number;
}

const MOST = { summary: 3, asked: 4, decided: 4, found: 3, done: 4, open: 4 };

/**
 * What a session was asked, what it decided, found and did, and what it left open: of each the newest, in the session's order; of what
 * was asked, the first and the last.
 * @param requests what the user asked for, in order.
 */
export function summarize(spans: SpanPayload[], ideas: IdeaPayload[], requests: Request[]): SummaryLine[] {
  const replaced = new Set(
    ideas.flatMap(({ relations }) => relations.flatMap(({ kind, to }) => (kind === 'supersedes' ? to : []))),
  );
  const inOrder = [...ideas].sort((a, b) => a.chunk_index - b.chunk_index);
  const lines = inOrder.flatMap((idea): SummaryLine[] => {
    const kind = replaced.has(idea.chunk_index) ? null : lineOf(idea);
    const hedge = isTentative(idea) ? ' (tentative)' : '';
    return kind === null
      ? []
      : [{ kind, text: `${idea.content}${hedge}`, turn: idea.turn, answer: answerIn(idea, hedge) }];
  });
  const all = [...writtenIn(inOrder), ...askedIn(spans, requests), ...lines];
  return (Object.keys(MOST) as SummaryLine['kind'][]).flatMap((kind) =>
    all.filter((line) => line.kind === kind).slice(-MOST[kind]),
  );
}

/** How each topic began, and the last request. */
function askedIn(spans: SpanPayload[], requests: Request[]): SummaryLine[] {
  const begun = spans
    .filter(({ name }) => name !== '(no topic)')
    .sort((a, b) => a.first_turn - b.first_turn || b.depth - a.depth)
    .map(({ name, first_turn: turn }): SummaryLine => ({ kind: 'asked', text: name, turn }));
  const last = requests.at(-1);
  const asked = begun.filter(({ turn }, at) => begun[at - 1]?.turn !== turn);
  if (last !== undefined && last.turn > (asked.at(-1)?.turn ?? -1)) asked.push({ kind: 'asked', ...last });
  const shown = asked.length > MOST.asked ? [...asked.slice(0, 2), ...asked.slice(-2)] : asked;
  const more = requests.filter(({ turn }) => shown.every((one) => one.turn !== turn)).length;
  const gaps = shown.map(({ turn }, at) => (shown[at + 1]?.turn ?? turn) - turn);
  const before = shown[gaps.indexOf(Math.max(...gaps))];
  if (before !== undefined && more > 0) before.more = more;
  return shown;
}

/** Of a choice, and of an answer to a question. */
function answerIn({ content, quote }: IdeaPayload, hedge: string): string | undefined {
  const isAnswer = quote !== content && content.endsWith(` ${quote}`) && content.includes('?');
  return isAnswer ? `${quote}${hedge}` : undefined;
}

/** What a model wrote about the newest topics: the first sentence about each, then further ones. */
function writtenIn(ideas: IdeaPayload[]): SummaryLine[] {
  const written = ideas.filter(isWritten);
  const rankOf = (idea: IdeaPayload) => written.filter(({ span }) => span === idea.span).indexOf(idea);
  const chosen = [...written]
    .sort((a, b) => rankOf(a) - rankOf(b) || b.chunk_index - a.chunk_index)
    .slice(0, MOST.summary);
  return written
    .filter((idea) => chosen.includes(idea))
    .map(({ content, turn }, at) => ({
      kind: 'summary',
      text: at === 0 ? `(written by the model) ${content}` : content,
      turn,
    }));
}

function lineOf(idea: IdeaPayload): SummaryLine['kind'] | null {
  const { kind, evidence, is_open } = idea;
  if (isWritten(idea)) return null;
  if (is_open === true) return 'open';
  if (kind === 'decision') return 'decided';
  if (evidence === 'commit') return 'done';
  // A summary of the conversation so far tells what was found before.
  if (evidence === 'summary') return null;
  return kind === 'conclusion' || kind === 'solution' ? 'found' : null;
}
