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
}

const MOST = { summary: 3, asked: 4, decided: 4, found: 3, done: 4, open: 4 };

/** What a session was asked, what it decided, found and did, and what it left open: the newest of each, in the session's order. */
export function summarize(spans: SpanPayload[], ideas: IdeaPayload[]): SummaryLine[] {
  const replaced = new Set(
    ideas.flatMap(({ relations }) => relations.flatMap(({ kind, to }) => (kind === 'supersedes' ? to : []))),
  );
  const inOrder = [...ideas].sort((a, b) => a.chunk_index - b.chunk_index);
  const lines = inOrder.flatMap((idea): SummaryLine[] => {
    const kind = replaced.has(idea.chunk_index) ? null : lineOf(idea);
    const hedge = isTentative(idea) ? ' (tentative)' : '';
    return kind === null ? [] : [{ kind, text: `${idea.content}${hedge}`, turn: idea.turn }];
  });
  const asked = spans
    .filter(({ name }) => name !== '(no topic)')
    .sort((a, b) => a.first_turn - b.first_turn || b.depth - a.depth)
    .map(({ name, first_turn: turn }): SummaryLine => ({ kind: 'asked', text: name, turn }));
  const all = [
    ...writtenIn(inOrder),
    ...asked.filter(({ turn }, at) => asked[at - 1]?.turn !== turn),
    ...lines,
  ];
  return (Object.keys(MOST) as SummaryLine['kind'][]).flatMap((kind) => {
    const own = all.filter((line) => line.kind === kind);
    return kind === 'asked' ? own.slice(0, MOST[kind]) : own.slice(-MOST[kind]);
  });
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
  return kind === 'conclusion' || kind === 'solution' ? 'found' : null;
}
