import { join } from 'node:path';
import { embedPending } from '../../../src/app/index/embed-pending.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { sendChanges } from '../../../src/compose/parts.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { hitRate, meanReciprocalRank, rankOfFirst } from '../../eval/metrics.ts';
import { searchAs } from '../../eval/rankings.ts';
import { type Query, readQueries, selectQueries } from '../../eval/read-queries.ts';
import type { BenchContext, Row } from '../bench.ts';
import { hashedWords } from '../data/hashed-words.ts';
import { indexWords, openLibrary } from '../library.ts';
import { median, timed } from '../timing.ts';
import type { BenchServer } from './qdrant-server.ts';
import { type Watched, watchRequests } from './watch-requests.ts';

const LIMIT = 200;
/** As many results as a search shows. */
const RESULTS = 5;
const MODES = ['keyword', 'hybrid'] as const;

/** Sends the corpus, then searches both stores; the server from a machine that has no sessions of its own. */
export async function measureCorpus(
  { claudeHome, queries, scratch }: BenchContext,
  server: BenchServer,
): Promise<Row[]> {
  const writer = await openLibrary(join(scratch, 'writer'), { claude: [claudeHome ?? ''], server });
  const rows = await backfill(writer, server);
  const embedder = hashedWords(await writer.embedding.model());
  await embedPending({ store: await writer.local(), embedder });
  await sendChanges(writer, { now: true });
  if (queries !== null) {
    const reader = await openLibrary(join(scratch, 'reader'), { server });
    rows.push(...(await compareRankings(writer, reader, embedder, queries, server)));
    await reader.close();
  }
  await writer.close();
  return rows;
}

async function backfill(parts: Parts, { name }: BenchServer): Promise<Row[]> {
  const indexing = await timed(() => indexWords(parts));
  const sending = await watchRequests(async () => {
    const report = await sendChanges(parts, { now: true });
    if (report === null || report.waiting > 0) throw new Error(report?.problem?.message ?? 'busy');
  });
  const share = (100 * sending.idle) / (indexing + sending.ms);
  return [
    {
      what: `backfill of the corpus: waiting for ${name}, of the time`,
      measured: { value: share, unit: '%' },
      floor: null,
      target: { of: 'measured', most: 10 },
    },
    {
      what: '… requests',
      measured: { value: sending.requests, unit: 'requests' },
      floor: null,
      target: null,
    },
  ];
}

async function compareRankings(
  writer: Parts,
  reader: Parts,
  embedder: Embedder,
  file: string,
  { name }: BenchServer,
): Promise<Row[]> {
  const here = await writer.localFile.open();
  const there = await reader.store();
  const { sessions } = await here.list({}, 1_000_000);
  const ids = new Set(sessions.map(({ session_id }) => session_id));
  const { queries } = selectQueries(readQueries(file), ids);
  const openWith = (parts: Parts, store: PointStore) => ({
    corpus: { name: '', agent: 'claude' as const, home: '', queries: file },
    parts: {
      ...parts,
      store: async () => store,
      embedding: {
        ...parts.embedding,
        embedder: async () => embedder,
        queries: async () => embedder,
        state: async () => ({ state: 'ready' as const, directory: '' }),
      },
    },
    sessions,
    embedded: true,
  });
  const rows: Row[] = [];
  for (const mode of MODES) {
    const rank = async (parts: Parts, store: PointStore) => {
      const open = openWith(parts, store);
      return ranksOf(queries, async (query) => {
        const { results, notices } = await searchAs(open, query, { mode, limit: LIMIT });
        if (notices.length > 0) throw new Error(notices.map(({ message }) => message).join('; '));
        return results.map(({ session_id }) => session_id);
      });
    };
    const [one, other] = [await rank(writer, here), await rank(reader, there)];
    rows.push(difference(`hit@1 by ${mode}, SQLite and ${name}`, hitRate(one, 1), hitRate(other, 1)));
    const [mrr, theirs] = [meanReciprocalRank(one), meanReciprocalRank(other)];
    rows.push(difference(`MRR by ${mode}, SQLite and ${name}`, mrr, theirs));
    // As on another machine, which has no transcripts.
    const open = openWith({ ...reader, sources: [] }, there);
    const search = (query: Query) => () => searchAs(open, query, { mode, limit: RESULTS });
    const watched: Watched[] = [];
    for (const query of queries) watched.push(await watchRequests(search(query)));
    rows.push(...requestRows(mode, name, watched));
  }
  return rows;
}

function requestRows(mode: string, name: string, watched: Watched[]): Row[] {
  const counts = watched.map(({ roundTrips }) => roundTrips);
  const kilobytes = watched.map(({ answered }) => answered / 1000);
  const ofOne = counts.filter((count) => count === 1).length / counts.length;
  return [
    {
      what: `round trips of a search by ${mode} for ${RESULTS} results to ${name}, median`,
      measured: { value: median(counts), unit: 'round trips' },
      floor: null,
      target: { of: 'measured', most: 2 },
    },
    {
      what: '… searches of one round trip',
      measured: { value: 100 * ofOne, unit: '%' },
      floor: null,
      target: null,
    },
    {
      what: '… answers of one search, median',
      measured: { value: median(kilobytes), unit: 'kB' },
      floor: null,
      target: null,
    },
    {
      what: '… answers of one search, most',
      measured: { value: Math.max(...kilobytes), unit: 'kB' },
      floor: null,
      target: null,
    },
    {
      what: '… requests of one search, mean',
      measured: {
        value: watched.reduce((sum, { requests }) => sum + requests, 0) / watched.length,
        unit: 'requests',
      },
      floor: null,
      target: null,
    },
  ];
}

async function ranksOf(
  queries: Query[],
  rank: (query: Query) => Promise<string[]>,
): Promise<(number | null)[]> {
  const ranks: (number | null)[] = [];
  for (const query of queries) ranks.push(rankOfFirst(await rank(query), query.sessions));
  return ranks;
}

function difference(what: string, one: number, other: number): Row {
  return {
    what: `${what}: ${one.toFixed(3)} and ${other.toFixed(3)}`,
    measured: { value: Math.abs(one - other), unit: 'apart' },
    floor: null,
    target: { of: 'measured', most: 0.01 },
  };
}
