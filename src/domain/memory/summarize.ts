import type { IdeaPayload, SpanPayload } from '../point/point.ts';
import { isTentative } from './confidence.ts';

/** A line of a session's summary: words of the transcript, and the turn that they are from, counted from 0. */
export interface SummaryLine {
  kind: 'asked' | 'decided' | 'found' | 'done' | 'open';
  text: string;
  turn: number;
}

const MOST = { asked: 4, decided: 4, found: 3, done: 4, open: 4 };

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
  const all = [...asked.filter(({ turn }, at) => asked[at - 1]?.turn !== turn), ...lines];
  return (Object.keys(MOST) as SummaryLine['kind'][]).flatMap((kind) => {
    const own = all.filter((line) => line.kind === kind);
    return kind === 'asked' ? own.slice(0, MOST[kind]) : own.slice(-MOST[kind]);
  });
}

function lineOf({ kind, evidence, is_open }: IdeaPayload): SummaryLine['kind'] | null {
  if (is_open === true) return 'open';
  if (kind === 'decision') return 'decided';
  if (evidence === 'commit') return 'done';
  // What made a command pass is a step of the work.
  return evidence !== 'run' && (kind === 'conclusion' || kind === 'solution') ? 'found' : null;
}
