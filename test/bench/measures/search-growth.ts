import { join } from 'node:path';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import type { SearchMode } from '../../../src/domain/search/search.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import type { Bench, Row } from '../bench.ts';
import { copyPoints } from '../data/copy-points.ts';
import { fillPoints, SMALL_MODEL } from '../data/generated-store.ts';
import { percentile } from '../timing.ts';
import { generatedDependencies, generatedQueries } from './search-generated.ts';

/** As measured on real sessions (docs/qdrant.md). */
const POINTS = 17_000;
const SESSIONS = 272;
/** How often the points are there. */
const SIZES = [1, 10, 30];
const ROUNDS = 3;
const MODES = ['keyword', 'hybrid'] as const;

/** How the time of a search grows with the store: the same points once, ten and thirty times. */
export const searchGrowth: Bench = {
  name: 'search-growth',
  large: true,
  describe: 'searches among 17,000 to 510,000 generated points of 384 dimensions',
  async run({ work, scratch }) {
    const path = join(work === scratch ? scratch : work, 'growth.db');
    const filling = openSqlitePointStore(path, 'generated');
    const { chunks, intents } = await filling.count();
    if (chunks === 0) await fillPoints(filling, POINTS, SESSIONS, SMALL_MODEL);
    await filling.close();
    let copies = Math.max(1, Math.round((chunks + intents) / POINTS));
    const rows: Row[] = [];
    for (const size of SIZES.filter((one) => one >= copies)) {
      if (size > copies) copyPoints(path, copies, size - 1);
      copies = size;
      const store = openSqlitePointStore(path, 'generated');
      for (const mode of MODES) rows.push(...(await measure(store, size * POINTS, mode)));
      await store.close();
    }
    return rows;
  },
};

async function measure(store: PointStore, points: number, mode: SearchMode): Promise<Row[]> {
  const deps = { ...generatedDependencies(POINTS, SMALL_MODEL), store };
  const queries = generatedQueries(POINTS);
  const whole = queries.map(() => Number.POSITIVE_INFINITY);
  const own = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, query] of queries.entries()) {
      const [started, cpu] = [performance.now(), process.cpuUsage()];
      await searchSessions(deps, { query, mode });
      const { user, system } = process.cpuUsage(cpu);
      whole[at] = Math.min(whole[at] ?? 0, performance.now() - started);
      own[at] = Math.min(own[at] ?? 0, (user + system) / 1000);
    }
  }
  const row = (what: string, times: number[]): Row => ({
    what,
    measured: { value: percentile(times, 0.95), unit: 'ms' },
    floor: null,
    target: null,
  });
  return [
    row(`search ${points / 1000}k small points by ${mode}, p95`, whole),
    row('… work of the processor, p95', own),
  ];
}
