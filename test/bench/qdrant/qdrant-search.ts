import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { openSqliteOutbox } from '../../../src/adapters/sqlite/outbox/sqlite-outbox.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import type { Patience } from '../../../src/app/share/ask/fall-back.ts';
import { readBoth } from '../../../src/app/share/ask/read-both.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import type { BenchContext, Row } from '../bench.ts';
import { fillPoints, GENERATED_MODEL } from '../data/generated-store.ts';
import { generatedDependencies, generatedQueries } from '../measures/search-generated.ts';
import { percentile, timed } from '../timing.ts';
import type { BenchServer } from './qdrant-server.ts';
import { watchRequests } from './watch-requests.ts';

/** Fewer for the double, which scans every point in JavaScript. */
const POINTS = { Qdrant: 50_000, 'the double': 2_000 };
/** The best of this many runs counts for each search: see `slowestOf`. */
const ROUNDS = 3;
const SESSIONS = { Qdrant: 1000, 'the double': 40 };

/** No timeout, so that the server's answer is measured. */
const PATIENT: Patience = { clock: () => 0, wait: () => new Promise(() => undefined) };

/** Searches from a machine that has no sessions of its own. */
export async function measureSearch({ scratch }: BenchContext, server: BenchServer): Promise<Row[]> {
  const { url, apiKey, name } = server;
  const points = POINTS[name];
  const collection = `${server.collection}_search`;
  const remote = openQdrantPointStore({
    url,
    apiKey,
    collection,
    model: GENERATED_MODEL,
    chunking: 'generated',
  });
  await fillPoints(remote, points, SESSIONS[name]);
  await untilIndexed(`${url}/collections/${collection}`, apiKey);
  const bare = openSqlitePointStore(join(scratch, 'empty.db'), 'generated');
  const outbox = openSqliteOutbox({ path: join(scratch, 'empty-index.db'), now: Date.now });
  const common = { bare, outbox, machine: 'reader', timeoutMs: 60_000, now: Date.now };
  const store = readBoth({ ...common, remote: async () => remote, time: PATIENT });
  const rows = await measure(store, points, name);
  await remote.close();
  await bare.close();
  outbox.close();
  await fetch(`${url}/collections/${collection}`, {
    method: 'DELETE',
    headers: apiKey === null ? {} : { 'api-key': apiKey },
  });
  return rows;
}

/** Until it has built an index, a server scans recent points, which is many times slower. */
async function untilIndexed(address: string, apiKey: string | null): Promise<void> {
  const headers: Record<string, string> = apiKey === null ? {} : { 'api-key': apiKey };
  for (let tries = 0; tries < 1200; tries += 1) {
    const { result } = (await (await fetch(address, { headers })).json()) as { result: { status: string } };
    if (result.status === 'green') return;
    await setTimeout(500);
  }
  throw new Error('the server has not indexed its points in ten minutes');
}

async function measure(store: PointStore, points: number, name: BenchServer['name']): Promise<Row[]> {
  const deps = { ...generatedDependencies(points), store };
  const queries = generatedQueries(points);
  const whole = queries.map(() => Number.POSITIVE_INFINITY);
  const own = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, query] of queries.entries()) {
      let ms = 0;
      const watched = await watchRequests(async () => {
        ms = await timed(async () => {
          const { notices } = await searchSessions(deps, { query });
          if (notices.length > 0) throw new Error(notices[0]?.message);
        });
      });
      whole[at] = Math.min(whole[at] ?? 0, ms);
      own[at] = Math.min(own[at] ?? 0, watched.work);
    }
  }
  const label = `${points / 1000}k points`;
  return [
    {
      what: `search ${label} on ${name}, p95${name === 'Qdrant' ? '' : ' (nearly all of it is the double’s own time)'}`,
      measured: { value: percentile(whole, 0.95), unit: 'ms' },
      floor: null,
      target: name === 'Qdrant' ? { of: 'measured', most: 40 } : null,
    },
    {
      what: '… work of the processor on this side, p95',
      measured: { value: percentile(own, 0.95), unit: 'ms' },
      floor: null,
      target: null,
    },
  ];
}
