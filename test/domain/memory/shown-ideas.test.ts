import { expect, it } from 'vitest';
import { isShownIdea } from '../../../src/domain/memory/shown-ideas.ts';
import { remember, told } from './events.ts';

it('shows commits and approved plans by default, and remarks along the way only if all are requested', () => {
  const { ideas } = remember([
    told.user('Implement the following plan:\n# Plan: Cache the prices of the cart\n1. Add the cache to it'),
    told.agent('The `PriceCache` keeps 500 entries because the server has little memory.', false),
    told.commit('Cache the prices of the cart'),
  ]);
  const shown = ideas.filter(isShownIdea).map(({ evidence }) => evidence);
  expect(new Set(shown)).toEqual(new Set(['plan', 'commit']));
  expect(ideas.map(({ evidence }) => evidence)).toContain('remark');
});

it('shows an agent’s ideas by default, and a model’s only if all are requested', () => {
  expect(isShownIdea({ confidence: 0.3, origin: 'agent' })).toBe(true);
  expect(isShownIdea({ confidence: 0.3, origin: 'model' })).toBe(false);
  expect(isShownIdea({ confidence: 0.3, origin: 'transcript' })).toBe(false);
});
