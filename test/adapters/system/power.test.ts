import { describe, expect, it } from 'vitest';
import { freeThreads } from '../../../src/adapters/system/power.ts';

describe('freeThreads', () => {
  it('takes every core of an idle machine on mains', () => {
    expect(freeThreads(8, 0.3, false)).toBe(8);
    expect(freeThreads(1, 0, false)).toBe(1);
  });

  it('takes half the cores of a busy machine, and of one on battery', () => {
    expect(freeThreads(8, 5, false)).toBe(4);
    expect(freeThreads(8, 0.3, true)).toBe(4);
    expect(freeThreads(1, 3, true)).toBe(1);
  });
});
