import { expect, it } from 'vitest';
import { groupTopics } from '../../../src/domain/memory/group-topics.ts';
import type { SpanPayload } from '../../../src/domain/point/point.ts';
import { cpuTime } from '../../support/cpu-time.ts';

function span(at: number, given: Partial<SpanPayload>): SpanPayload {
  const ended_at = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  const rest = { parent: null, files: [], entities: [], branch: 'main', repo_id: 'r', chunk_index: 0 };
  return { ...rest, session_id: `s${at}`, name: '', ended_at, ...given } as SpanPayload;
}

it('groups topics by branch, by files and by words, newest first', () => {
  const spans = [
    { branch: 'feature/queue', name: 'Queue' },
    { files: ['src/a.ts', 'src/b.ts'], name: 'First' },
    { branch: 'feature/queue', name: 'Worker' },
    { files: ['src/a.ts', 'src/b.ts', 'src/c.ts'], name: 'Second' },
    { branch: 'feature/queue', repo_id: 'other', name: 'Elsewhere' },
  ].map((given, at) => span(at, given));
  const names = groupTopics(spans).map((group) => group.map(({ name }) => name));
  expect(names).toEqual([['Elsewhere'], ['First', 'Second'], ['Queue', 'Worker']]);
});

it('groups topics in little more than linear time', () => {
  const timed = (count: number) => {
    const files = (at: number) =>
      Array.from({ length: 8 }, (_, n) => `src/${(at * 7 + n * 311) % (count * 2)}.ts`);
    const spans = Array.from({ length: count }, (_, at) => span(at, { name: `Part${at}`, files: files(at) }));
    return cpuTime(() => groupTopics(spans));
  };
  timed(500);
  const few = Math.max(20, timed(1000));
  expect(timed(12_000)).toBeLessThan(30 * few);
});
