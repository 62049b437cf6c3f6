import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { keepOpen } from '../../../src/adapters/onnx/keep-open.ts';

/** Records what is opened and released, in order. */
function openNoting(idleMs: number) {
  const notes: string[] = [];
  let count = 0;
  const kept = keepOpen({
    open: async () => {
      count++;
      notes.push(`open ${count}`);
      return count;
    },
    release: async (opened) => {
      notes.push(`release ${opened}`);
    },
    idleMs,
  });
  return { kept, notes };
}

describe('keepOpen', () => {
  it('opens a shared resource on first use, once for all callers', async () => {
    const { kept, notes } = openNoting(60_000);
    expect(notes).toEqual([]);
    expect(await Promise.all([kept.use(async (n) => n), kept.use(async (n) => n)])).toEqual([1, 1]);
    await kept.close();
    expect(notes).toEqual(['open 1', 'release 1']);
  });

  it('releases a shared resource when idle, but not while in use', async () => {
    const { kept, notes } = openNoting(10);
    await Promise.all([kept.use(() => wait(60)), kept.use(async () => undefined)]);
    expect(notes).toEqual(['open 1']);
    await wait(50);
    expect(notes).toEqual(['open 1', 'release 1']);
    expect(await kept.use(async (n) => n)).toBe(2);
    await kept.close();
  });

  it('closes a shared resource after its last caller, and opens it again for the next', async () => {
    const { kept, notes } = openNoting(60_000);
    const early = kept.use(() => wait(30, 'early'));
    const closed = kept.close().then(() => notes.push('closed'));
    expect(await kept.use(async (n) => n)).toBe(2);
    expect(await early).toBe('early');
    await closed;
    expect(notes).toEqual(['open 1', 'open 2', 'release 1', 'closed']);
    await kept.close();
  });

  it('keeps a shared resource usable after failed work', async () => {
    const { kept, notes } = openNoting(60_000);
    await expect(kept.use(() => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(await kept.use(async (n) => n)).toBe(1);
    await kept.close();
    expect(notes).toEqual(['open 1', 'release 1']);
  });
});
