import { addToMemory } from '../../../src/domain/memory/extract/add-to-memory.ts';
import { emptyMemoryState, type MemoryState } from '../../../src/domain/memory/extract/memory-state.ts';
import { memoryCounts, takeChanges } from '../../../src/domain/memory/extract/take-changes.ts';
import { gitSteps } from '../../../src/domain/session/calls/git-steps.ts';
import type { Idea, IdeaKind, Span } from '../../../src/domain/session/ideas.ts';
import type { TodoItem, TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';

const inherited = false;
const common = { timestamp: '2026-07-01T09:00:00.000Z', uuid: null, inherited };

/** Builds events like the readers. */
export const told = {
  user: (text: string): TranscriptEvent => ({ kind: 'message', role: 'user', text, ...common }),
  agent: (text: string, closes?: boolean): TranscriptEvent => ({
    kind: 'message',
    role: 'assistant',
    text,
    ...common,
    closes,
  }),
  bash: (command: string, call: string): TranscriptEvent => ({
    kind: 'message',
    role: 'tool',
    text: `Bash: ${command}`,
    call,
    git: gitSteps(command),
    ...common,
  }),
  result: (call: string, error: string | null = null): TranscriptEvent => ({
    kind: 'result',
    call,
    failed: error !== null,
    error,
    inherited,
  }),
  file: (path: string): TranscriptEvent => ({ kind: 'file', path, inherited }),
  commit: (subject: string, hash = 'abc1234'): TranscriptEvent => ({
    kind: 'commit',
    commit: { hash, subject },
    inherited,
  }),
  todos: (items: TodoItem[], whole = true): TranscriptEvent => ({ kind: 'todos', items, whole, inherited }),
  plan: (text: string, call: string): TranscriptEvent => ({ kind: 'plan', call, text, inherited }),
  remembered: (kind: IdeaKind, content: string): TranscriptEvent => ({
    kind: 'remembered',
    idea: { kind, content, entities: [] },
    inherited,
  }),
  asked: (question: string, options: string[], call = 'ask'): TranscriptEvent => ({
    kind: 'asked',
    call,
    questions: [{ key: question, question, options }],
    inherited,
  }),
  answered: (question: string, answer: string, call = 'ask'): TranscriptEvent => ({
    kind: 'answered',
    call,
    answers: [{ key: question, answer }],
    inherited,
  }),
};

export interface Memory {
  ideas: Idea[];
  spans: Span[];
  counts: { ideas: number; spans: number };
}

/** Folds events. At each cut, the state is written down and read back before the next event. */
export function remember(events: TranscriptEvent[], cuts: number[] = []): Memory {
  const ideas = new Map<number, Idea>();
  const spans = new Map<number, Span>();
  let state = emptyMemoryState();
  let turn = -1;
  const take = () => {
    const changes = takeChanges(state);
    for (const idea of changes.ideas) ideas.set(idea.index, idea);
    for (const span of changes.spans) spans.set(span.index, span);
  };
  for (const [index, event] of events.entries()) {
    if (cuts.includes(index)) {
      take();
      state = JSON.parse(JSON.stringify(state)) as MemoryState;
    }
    if (event.kind === 'message' && event.role === 'user' && !event.inherited) turn += 1;
    addToMemory(state, event, { turn: Math.max(0, turn), line: index + 1 });
  }
  take();
  const byIndex = <T extends { index: number }>(map: Map<number, T>) =>
    [...map.values()].sort((one, other) => one.index - other.index);
  return { ideas: byIndex(ideas), spans: byIndex(spans), counts: memoryCounts(state) };
}

/** Ideas in the form `kind: content`, with `?` while they are open. */
export function linesOf({ ideas }: Memory): string[] {
  return ideas.map(({ kind, content, isOpen }) => `${kind}${isOpen === true ? '?' : ''}: ${content}`);
}
