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
import { copyOnServer } from './copy-on-server.ts';
import type { BenchServer } from './qdrant-server.ts';
import { watchRequests } from './watch-requests.ts';

/** Points that are written, and how often they are there in the end. Fewer for the double, which scans every point in JavaScript. */
const WRITTEN = { Qdrant: 10_000, 'the double': 500 };
const SESSIONS = { Qdrant: 170, 'the double': 10 };
const SIZES = {
  Qdrant: [
    { times: 5, p50: null, p95: 40 },
    { times: 50, p50: 80, p95: null },
  ],
  'the double': [{ times: 4, p50: null, p95: null }],
};
/** The best of this many runs counts for each search: see `slowestOf`. */
const ROUNDS = 3;
/** Of the p95 at 50,000 points. */
const OWN_MS = 12;

/** No timeout, so that the server's answer is measured. */
const PATIENT: Patience = { clock: () => 0, wait: () => new Promise(() => undefined) };

/** Searches from a machine that has no sessions of its own. */
export async function measureSearch({ scratch }: BenchContext, server: BenchServer): Promise<Row[]> {
  const { url, apiKey, name } = server;
  const collection = `${server.collection}_search`;
  const remote = openQdrantPointStore({
    url,
    apiKey,
    collection,
    model: GENERATED_MODEL,
    chunking: 'generated',
  });
  await fillPoints(remote, WRITTEN[name], SESSIONS[name]);
  const bare = openSqlitePointStore(join(scratch, 'empty.db'), 'generated');
  const outbox = openSqliteOutbox({ path: join(scratch, 'empty-index.db'), now: Date.now });
  const common = { bare, outbox, machine: 'reader', timeoutMs: 60_000, now: Date.now };
  const store = readBoth({ ...common, remote: async () => remote, time: PATIENT });
  const rows: Row[] = [];
  let times = 1;
  for (const size of SIZES[name]) {
    const copies = Array.from({ length: size.times - times }, (_, at) => times + at);
    await copyOnServer({ url, apiKey, collection }, copies);
    times = size.times;
    await untilIndexed(`${url}/collections/${collection}`, apiKey);
    rows.push(...(await measure(store, name, size)));
  }
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

async function measure(
  store: PointStore,
  name: BenchServer['name'],
  { times, p50, p95 }: { times: number; p50: number | null; p95: number | null },
): Promise<Row[]> {
  const points = WRITTEN[name] * times;
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
  const row = (what: string, value: number, most: number | null): Row => ({
    what,
    measured: { value, unit: 'ms' },
    floor: null,
    target: most === null ? null : { of: 'measured', most },
  });
  const note = name === 'Qdrant' ? '' : ' (nearly all of it is the double’s own time)';
  return [
    row(`search ${points / 1000}k points on ${name}, p50${note}`, percentile(whole, 0.5), p50),
    row('… p95', percentile(whole, 0.95), p95),
    row('… work of the processor on this side, p95', percentile(own, 0.95), p95 === null ? null : OWN_MS),
  ];
}
