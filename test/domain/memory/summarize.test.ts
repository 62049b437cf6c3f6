import { expect, it } from 'vitest';
import { summarize } from '../../../src/domain/memory/summarize.ts';
import type { IdeaPayload } from '../../../src/domain/point/point.ts';

it('lists what a session found, not how a failed command came to pass', () => {
  const idea = (chunk_index: number, evidence: IdeaPayload['evidence'], content: string) =>
    ({
      kind: 'solution',
      chunk_index,
      evidence,
      content,
      is_open: null,
      relations: [],
      confidence: 0.8,
      turn: 0,
    }) as unknown as IdeaPayload;
  const ideas = [
    idea(0, 'run', 'error: it failed: fixed by running `npm ci`'),
    idea(1, 'report', 'Prices are cents.'),
  ];
  expect(summarize([], ideas)).toEqual([{ kind: 'found', text: 'Prices are cents.', turn: 0 }]);
});
