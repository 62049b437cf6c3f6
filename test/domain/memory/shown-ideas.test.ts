import { expect, it } from 'vitest';
import { isShownIdea } from '../../../src/domain/memory/shown-ideas.ts';

it('shows what rules and agents noted by default, and a model’s only if all are requested', () => {
  expect(isShownIdea({ origin: 'agent' })).toBe(true);
  expect(isShownIdea({ origin: 'transcript' })).toBe(true);
  expect(isShownIdea({ origin: 'model' })).toBe(false);
});
