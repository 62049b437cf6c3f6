import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../../src/cli/terminal/progress/progress.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import { fakeTerminal, screenOf } from '../../support/fake-streams.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('progress on a terminal', () => {
  it('shows a progress bar with rate and time left', () => {
    const terminal = fakeTerminal();
    const progress = createProgress({ verb: 'Indexing', terminal });
    for (let done = 0; done <= 171; done++) {
      progress.update({ unit: 'session', done, total: 342 });
      vi.advanceTimersByTime(25);
    }
    expect(shown(terminal)).toEqual([
      'Indexing session 171 of 342 ▕████████████            ▏ 40/s, 5 s left',
    ]);
  });

  it('draws the bar in ASCII on a terminal without Unicode', () => {
    const terminal = fakeTerminal({ env: { LANG: 'C' } });
    createProgress({ verb: 'Indexing', terminal }).update({ unit: 'session', done: 47, total: 94 });
    expect(shown(terminal)).toEqual(['Indexing session 47 of 94 [############............]']);
  });

  it('prints units after their number', () => {
    const terminal = fakeTerminal();
    const progress = createProgress({ verb: 'Downloading', terminal });
    progress.update({ unit: 'MB', done: 0, total: 137 });
    vi.advanceTimersByTime(2000);
    progress.update({ unit: 'MB', done: 7, total: 137 });
    expect(shown(terminal)[0]).toMatch(/^Downloading 7 of 137 MB .* 3\.5 MB\/s, 38 s left$/);
  });

  it('shows the current item if there is room', () => {
    const terminal = fakeTerminal({ columns: 100 });
    createProgress({ verb: 'Indexing', terminal }).update({
      unit: 'session',
      done: 1,
      total: 2,
      label: 'mortgage-\x1b[2Jcoach',
    });
    expect(shown(terminal, 100)[0]).toMatch(/▏ {2}mortgage-coach$/);
  });

  it('counts without a bar if the total is unknown', () => {
    const terminal = fakeTerminal();
    createProgress({ verb: 'Reading', terminal }).update({ unit: 'session', done: 1204, total: 0 });
    expect(shown(terminal)).toEqual(['Reading session 1,204']);
  });

  it('redraws at most ten times a second, and always the last state', () => {
    const terminal = fakeTerminal();
    const progress = createProgress({ verb: 'Indexing', terminal });
    for (let done = 1; done <= 1000; done++) {
      progress.update({ unit: 'session', done, total: 1000 });
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(200);
    const paints = terminal.stderrStream.writes.filter((text) => text.includes('Indexing')).length;
    expect(paints).toBeGreaterThanOrEqual(10);
    expect(paints).toBeLessThanOrEqual(12);
    expect(shown(terminal)[0]).toContain('1,000 of 1,000');
  });

  it('erases the bar at the end', () => {
    const terminal = fakeTerminal();
    const progress = createProgress({ verb: 'Indexing', terminal });
    progress.update({ unit: 'session', done: 1, total: 3 });
    progress.update({ unit: 'session', done: 2, total: 3 });
    progress.done();
    progress.update({ unit: 'session', done: 3, total: 3 });
    vi.advanceTimersByTime(1000);
    expect(shown(terminal)).toEqual(['']);
  });

  it('erases the bar after the window became narrower', () => {
    const terminal = fakeTerminal({ columns: 80 });
    const progress = createProgress({ verb: 'Indexing', terminal });
    progress.update({ unit: 'session', done: 150, total: 300 });
    terminal.stderrStream.columns = 30;
    vi.advanceTimersByTime(150);
    progress.update({ unit: 'session', done: 151, total: 300 });
    expect(shown(terminal, 30)).toEqual(['Indexing session 151 of 300']);
    progress.done();
    expect(shown(terminal, 30)).toEqual(['']);
  });

  it('never fills the last column', () => {
    for (let columns = 20; columns <= 200; columns += 7) {
      const terminal = fakeTerminal({ columns });
      const progress = createProgress({ verb: 'Indexing', terminal });
      progress.update({ unit: 'session', done: 0, total: 20_000, label: '日本語 '.repeat(20) });
      vi.advanceTimersByTime(3000);
      progress.update({ unit: 'session', done: 7000, total: 20_000, label: '日本語 '.repeat(20) });
      for (const written of terminal.stderrStream.writes) {
        expect(displayWidth(written.replace(/^\x1b\[\d*A|\r\x1b\[J/g, ''))).toBeLessThan(columns);
      }
    }
  });

  it('computes the rate over the last ten seconds', () => {
    const terminal = fakeTerminal();
    const progress = createProgress({ verb: 'Indexing', terminal });
    let done = 0;
    for (let second = 0; second < 40; second++) {
      progress.update({ unit: 'session', done, total: 10_000 });
      done += second < 20 ? 100 : 10;
      vi.advanceTimersByTime(1000);
    }
    expect(shown(terminal)[0]).toMatch(/ 10\/s, /);
  });
});

describe('progress without a terminal', () => {
  it('prints no progress of a short job without a terminal', () => {
    const terminal = fakeTerminal({ isTTY: false });
    const progress = createProgress({ verb: 'Indexing', terminal });
    for (let second = 0; second < 10; second++) {
      progress.update({ unit: 'session', done: second, total: 10 });
      vi.advanceTimersByTime(999);
    }
    progress.done();
    expect(terminal.stderrStream.text).toBe('');
  });

  it('prints a plain line every ten seconds without a terminal', () => {
    const terminal = fakeTerminal({ isTTY: false });
    const progress = createProgress({ verb: 'Indexing', terminal });
    for (let second = 0; second <= 25; second++) {
      progress.update({ unit: 'session', done: second * 4, total: 342 });
      vi.advanceTimersByTime(1000);
    }
    expect(terminal.stderrStream.text).toBe(
      'Indexing session 40 of 342 (4/s, 1 min 20 s left)\nIndexing session 80 of 342 (4/s, 1 min 10 s left)\n',
    );
  });
});

function shown(terminal: ReturnType<typeof fakeTerminal>, columns = 80): string[] {
  return screenOf(terminal.stderrStream.text, columns);
}
