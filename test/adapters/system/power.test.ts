import { describe, expect, it } from 'vitest';
import { freeThreads } from '../../../src/adapters/system/power.ts';

describe('freeThreads', () => {
  it('uses every core of an idle machine on mains power', () => {
    expect(freeThreads(8, 0.3, false)).toBe(8);
    expect(freeThreads(1, 0, false)).toBe(1);
  });

  it('uses half the cores of a machine that is busy or on battery', () => {
    expect(freeThreads(8, 5, false)).toBe(4);
    expect(freeThreads(8, 0.3, true)).toBe(4);
    expect(freeThreads(1, 3, true)).toBe(1);
  });
});
