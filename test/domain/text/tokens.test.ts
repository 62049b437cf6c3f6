import { expect, it } from 'vitest';
import { estimateTokens, takeTokens } from '../../../src/domain/text/tokens.ts';

it('estimates tokens by script: ASCII 0.29 per character, other alphabets 0.5, ideographs 1', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens('x'.repeat(100))).toBe(29);
  expect(estimateTokens('ж'.repeat(100))).toBe(50);
  expect(estimateTokens('語'.repeat(100))).toBe(100);
  expect(estimateTokens(`${'x'.repeat(100)}${'ж'.repeat(10)}語`)).toBe(35);
});

it('returns the longest prefix within the token limit, cut at a space if possible', () => {
  expect(takeTokens('short', 100)).toBe('short');
  const text = 'several words of a sentence '.repeat(100);
  const taken = takeTokens(text, 50);
  expect(estimateTokens(taken)).toBeLessThanOrEqual(50);
  expect(estimateTokens(taken)).toBeGreaterThan(44);
  expect(text[taken.length]).toBe(' ');
});

it('splits no character at the token limit, and cuts text without spaces', () => {
  for (const unit of ['🙂', '語', 'x', 'é'])
    for (const limit of [1, 2, 3, 7, 50]) {
      const taken = takeTokens(unit.repeat(400), limit);
      expect(taken.isWellFormed()).toBe(true);
      expect(estimateTokens(taken)).toBeLessThanOrEqual(limit);
    }
});
