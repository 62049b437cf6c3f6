import { describe, expect, it } from 'vitest';
import { summarize } from '../../../src/domain/memory/summarize.ts';
import type { IdeaPayload, SpanPayload } from '../../../src/domain/point/point.ts';

function idea(
  chunk_index: number,
  evidence: IdeaPayload['evidence'],
  content: string,
  more = {},
): IdeaPayload {
  return {
    kind: 'solution',
    chunk_index,
    evidence,
    content,
    quote: content,
    is_open: null,
    relations: [],
    confidence: 0.8,
    turn: 0,
    ...more,
  } as unknown as IdeaPayload;
}

function topic(name: string, first_turn: number): SpanPayload {
  return { name, first_turn, depth: 0 } as SpanPayload;
}

const request = (turn: number) => ({ text: `Request ${turn}`, turn });

describe('summarize', () => {
  it('lists what a session found, not what a summary says of before', () => {
    const ideas = [idea(1, 'report', 'Prices are cents.'), idea(2, 'summary', 'The cache was stale.')];
    expect(summarize([], ideas, [])).toEqual([{ kind: 'found', text: 'Prices are cents.', turn: 0 }]);
  });

  it('lists the first and the last of what was asked, and how many prompts there were besides', () => {
    const spans = [0, 2, 5, 7, 9].map((turn) => topic(`Topic ${turn}`, turn));
    const requests = [0, 1, 2, 3, 5, 6, 7, 9, 11].map(request);
    expect(summarize(spans, [], requests)).toEqual([
      { kind: 'asked', text: 'Topic 0', turn: 0 },
      { kind: 'asked', text: 'Topic 2', turn: 2, more: 5 },
      { kind: 'asked', text: 'Topic 9', turn: 9 },
      { kind: 'asked', text: 'Request 11', turn: 11 },
    ]);
    expect(summarize([topic('Topic 0', 0)], [], [request(0), request(1), request(2)])).toEqual([
      { kind: 'asked', text: 'Topic 0', turn: 0, more: 1 },
      { kind: 'asked', text: 'Request 2', turn: 2 },
    ]);
    expect(summarize([topic('Topic 0', 0)], [], [request(0)])).toEqual([
      { kind: 'asked', text: 'Topic 0', turn: 0 },
    ]);
  });

  it('says what answers the question of a decision', () => {
    const ideas = [
      idea(0, 'choice', 'Which store? SQLite', { kind: 'decision', quote: 'SQLite' }),
      idea(1, 'prompt', 'Use SQLite', { kind: 'decision' }),
    ];
    expect(summarize([], ideas, [])).toEqual([
      { kind: 'decided', text: 'Which store? SQLite', turn: 0, answer: 'SQLite' },
      { kind: 'decided', text: 'Use SQLite', turn: 0 },
    ]);
  });
});
