import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import type { LocalStore } from '../../../src/ports/outbox.ts';
import { hitRate, rankOfFirst } from '../../eval/metrics.ts';
import { searchAs } from '../../eval/rankings.ts';
import { readQueries, selectQueries } from '../../eval/read-queries.ts';
import type { Bench, BenchContext, Quantity, Row } from '../bench.ts';
import { fillPoints, GENERATED_MODEL } from '../data/generated-store.ts';
import { createTextSource } from '../data/generated-text.ts';
import { indexWords, openLibrary } from '../library.ts';
import { makeHome, ownMemory, timeCli } from '../processes.ts';
import { slowestOf, timed } from '../timing.ts';
import { generatedDependencies, generatedQueries } from './search-generated.ts';

const SESSIONS = 10_000;
/** 50,000 of them are passages. */
const POINTS = 60_000;
const ROUNDS = 3;
const VECTORS = 500;

/** What the documents asked for that the product was made after, as they put it. */
export const prd: Bench = {
  name: 'prd',
  large: true,
  describe: 'the targets of the requirements document, on the corpus and on 10,000 generated sessions',
  async run(context) {
    const rows = [...(await measureCorpus(context)), ...(await measureManySessions(context))];
    return rows.length > 0 ? rows : 'no Claude Code transcripts';
  },
};

async function measureManySessions({ work }: BenchContext): Promise<Row[]> {
  const path = join(work, 'prd.db');
  const store = openSqlitePointStore(path, 'generated');
  if ((await store.count()).sessions < SESSIONS) await fillPoints(store, POINTS, SESSIONS);
  const { chunks, bytes } = await store.count();
  const deps = { ...generatedDependencies(POINTS), store };
  const { hybrid, keyword } = await slowestOf(generatedQueries(POINTS), ROUNDS, {
    hybrid: (query) => searchSessions(deps, { query }),
    keyword: (query) => searchSessions(deps, { query, mode: 'keyword' }),
  });
  await store.close();
  return [
    row('search among 10,000 sessions, hybrid, p95', hybrid, 'ms', { most: 3000 }),
    row('… keyword, p95', keyword, 'ms', { most: 3000 }),
    row(`memory with ${chunks.toLocaleString('en-US')} chunks`, ownMemory(), 'MB', { most: 2048 }),
    row('size of the database with 10,000 sessions', bytes / 1e9, 'GB', { most: 5 }),
  ];
}

async function measureCorpus({ claudeHome, queries, scratch }: BenchContext): Promise<Row[]> {
  if (claudeHome === null) return [];
  const parts = await openLibrary(join(scratch, 'library'), { claude: [claudeHome] });
  const ms = await timed(() => indexWords(parts));
  const store = await parts.local();
  const { sessions } = await store.list({}, 1_000_000);
  const messages = sessions.reduce((sum, { message_count }) => sum + message_count, 0);
  const longest = sessions.toSorted((one, other) => other.bytes - one.bytes)[0]?.session_id ?? '';
  await embedAll(store);
  const accuracy = queries === null ? [] : await measureAccuracy(parts, queries);
  await parts.close();
  const size = statSync(join(scratch, 'library', 'index.db')).size;
  const home = makeHome(join(scratch, 'home'), { claude: claudeHome });
  const whole = timeCli(home, 'index', '--no-embed', '--json');
  const best = (...words: string[]) =>
    Math.min(...Array.from({ length: ROUNDS }, () => timeCli(home, ...words)));
  return [
    row('indexing, by words', (1000 * messages) / ms, 'messages/s', { least: 100 }),
    row(`first index of ${sessions.length} sessions`, whole / 1000, 's', { most: 120 }),
    row('index of the longest session', best('index', '--session', longest, '--no-embed', '--json'), 'ms', {
      most: 1000,
    }),
    row('search, a process', best('search', 'token usage cards', '--mode', 'keyword'), 'ms', { most: 500 }),
    row('retrieve, a process', best('retrieve', longest, '--query', 'token usage'), 'ms', { most: 1000 }),
    row(
      `database per 1,000 messages, ${GENERATED_MODEL.dimensions} dimensions`,
      size / 1000 / messages,
      'MB',
      { most: 0.5 },
    ),
    ...accuracy,
  ];
}

/** Vectors without a meaning: only their size counts. */
async function embedAll(store: LocalStore): Promise<void> {
  const text = createTextSource(1);
  const { dimensions } = GENERATED_MODEL;
  for (;;) {
    const points = await store.pointsWithoutVector(VECTORS);
    if (points.length === 0) break;
    const items = points.map(({ id, payload }, at) => ({
      id,
      contentHash: payload.content_hash,
      vector: text.vector(at, dimensions),
    }));
    await store.setVectors(GENERATED_MODEL, items);
  }
  await store.refresh();
}

/** By words, because a model may be missing. `npm run eval` has the figures by meaning. */
async function measureAccuracy(parts: Parts, file: string): Promise<Row[]> {
  const { sessions } = await (await parts.localFile.open()).list({}, 1_000_000);
  const { queries } = selectQueries(readQueries(file), new Set(sessions.map(({ session_id }) => session_id)));
  const corpus = { name: '', agent: 'claude' as const, home: '', queries: file };
  const ranks: (number | null)[] = [];
  for (const query of queries) {
    const { results } = await searchAs({ corpus, parts, sessions, embedded: false }, query, {
      mode: 'keyword',
      limit: 5,
    });
    ranks.push(
      rankOfFirst(
        results.map(({ session_id }) => session_id),
        query.sessions,
      ),
    );
  }
  return [
    row(`first result right, ${queries.length} queries by keyword`, 100 * hitRate(ranks, 1), '%', {
      least: 80,
    }),
    row('one of the first three right', 100 * hitRate(ranks, 3), '%', { least: 95 }),
  ];
}

function row(
  what: string,
  value: number,
  unit: Quantity['unit'],
  target: { most: number } | { least: number },
): Row {
  return { what, measured: { value, unit }, floor: null, target: { of: 'measured', ...target } };
}
