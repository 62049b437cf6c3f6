import { describe, expect, it } from 'vitest';
import { evenTopics, windowDiff, windowWidth } from './window-diff.ts';

describe('WindowDiff', () => {
  const right = { turns: 10, begins: [5] };

  it('gives a WindowDiff of 0 for the right boundaries and 1 for a wrong boundary in every window', () => {
    expect(windowDiff([{ right, guess: [5] }], 2)).toBe(0);
    const all = Array.from({ length: 9 }, (_, at) => at + 1);
    expect(windowDiff([{ right: { turns: 10, begins: [] }, guess: all }], 2)).toBe(1);
  });

  it('punishes a near miss less than a missing boundary', () => {
    const near = windowDiff([{ right, guess: [6] }], 2);
    const missing = windowDiff([{ right, guess: [] }], 2);
    expect(near).toBe(2 / 8);
    expect(missing).toBe(2 / 8);
    expect(windowDiff([{ right, guess: [6] }], 4)).toBeLessThan(windowDiff([{ right, guess: [] }], 4));
  });

  it('uses a window of half a topic, and even topics', () => {
    expect(windowWidth([right, { turns: 6, begins: [] }])).toBe(3);
    expect(evenTopics(10, 4)).toEqual([4, 8]);
  });
});
