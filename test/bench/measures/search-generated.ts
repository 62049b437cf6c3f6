import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { pointIdOf } from '../../../src/adapters/sqlite/points/stored-ids.ts';
import { toStoredVector } from '../../../src/adapters/sqlite/vectors/stored-vector.ts';
import { loadVectorFunctions } from '../../../src/adapters/sqlite/vectors/vector-tables.ts';
import { type SearchDependencies, searchSessions } from '../../../src/app/search/search-sessions.ts';
import { knownModel } from '../../../src/domain/model/known-models.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { STANDARD } from '../../../src/domain/search/ranking.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import type { Bench, Row } from '../bench.ts';
import { fillStore, GENERATED_MODEL, SESSIONS } from '../data/generated-store.ts';
import { createTextSource } from '../data/generated-text.ts';
import { ownMemory } from '../processes.ts';
import { slowestOf } from '../timing.ts';

const QUERIES = 60;
const ROUNDS = 3;
const NEAREST = 10;
/** Most queries are a sentence, some a pasted paragraph. */
const SENTENCE = 9;
const PARAGRAPH = 60;

export const search50k = searchGenerated('search-50k', 50_000, { large: false, most: 60 });
export const search200k = searchGenerated('search-200k', 200_000, { large: true, most: 150 });

/** Separate processes fill the stores, so that their memory is not counted. */
export const fillers: Bench[] = [50_000, 200_000].map((points) => ({
  name: fillerName(points),
  describe: '',
  async run({ work }) {
    await fillStore(storeFolder(work, points), points);
    return [];
  },
}));

function searchGenerated(
  name: string,
  points: number,
  { large, most }: { large: boolean; most: number | null },
): Bench {
  return {
    name,
    large,
    describe: `searches among ${points.toLocaleString('en-US')} generated points of 768 dimensions`,
    async run({ work }) {
      const filler = [process.argv[1] ?? '', '--isolated', fillerName(points), '--work', work];
      const { status } = spawnSync(process.execPath, filler, { stdio: ['ignore', 'ignore', 'inherit'] });
      if (status !== 0) throw new Error(`${fillerName(points)} failed`);
      const store = openSqlitePointStore(join(storeFolder(work, points), 'index.db'), 'generated');
      const times = await measure({ ...generatedDependencies(points), store }, points);
      const label = `${points / 1000}k points`;
      const rows = [...rowsOf(times, label, most), memoryRow(most === null ? null : 400)];
      const recall = await measureRecall(store, join(storeFolder(work, points), 'index.db'), points);
      await store.close();
      return [...rows, recall];
    },
  };
}

function fillerName(points: number): string {
  return `fill-${points / 1000}k`;
}

function storeFolder(work: string, points: number): string {
  return join(work, `generated-${points}`);
}

interface Times {
  hybrid: number;
  keyword: number;
  scan: number;
}

/** p95 in ms of whole searches, and of a plain scan for the nearest vector. */
async function measure(deps: SearchDependencies, points: number): Promise<Times> {
  const queries = generatedQueries(points);
  const limits = { sessions: 1, chunks: 1, intents: 1 };
  const scan = async () => {
    const vector = await (await deps.embedding.queries()).embedQuery('');
    await searchLists(deps.store, { tokens: null, vector, filter: {}, limits });
  };
  return slowestOf(queries, ROUNDS, {
    scan,
    hybrid: (query) => searchSessions(deps, { query }),
    keyword: (query) => searchSessions(deps, { query, mode: 'keyword' }),
  });
}

/** Share of the ten nearest chunks that a search finds, compared with a scan of all vectors. */
async function measureRecall(store: PointStore, path: string, points: number): Promise<Row> {
  const database = openDatabase(path);
  loadVectorFunctions(database);
  const compareAll = database.prepare(
    `SELECT p.id FROM points p JOIN vectors v ON v.rowid = p.rowid WHERE p.type = 'chunk'
      ORDER BY vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) LIMIT ${NEAREST}`,
  );
  const limits = { sessions: 1, chunks: NEAREST, intents: 1 };
  const text = createTextSource(points + 3);
  let found = 0;
  for (let session = 0; session < QUERIES; session += 1) {
    const vector = text.vector(session, GENERATED_MODEL.dimensions);
    const { chunksByVector } = await searchLists(store, { tokens: null, vector, filter: {}, limits });
    const ids = new Set(chunksByVector?.map(({ point_id }) => point_id));
    found += compareAll.all(toStoredVector(vector)).filter((row) => ids.has(pointIdOf(row))).length;
  }
  database.close();
  return {
    what: `… recall of the ${NEAREST} nearest`,
    measured: { value: found / (QUERIES * NEAREST), unit: 'of 1' },
    floor: null,
    target: { of: 'measured', least: 0.99 },
  };
}

export function generatedQueries(points: number): string[] {
  const text = createTextSource(points + 1);
  return Array.from({ length: QUERIES }, (_, number) =>
    text.words(number * 7, number % 5 === 4 ? PARAGRAPH : SENTENCE).join(' '),
  );
}

function rowsOf({ hybrid, keyword, scan }: Times, label: string, most: number | null): Row[] {
  const target = most === null ? null : ({ of: 'measured', most } as const);
  return [
    {
      what: `search ${label} by words and meaning, p95`,
      measured: { value: hybrid, unit: 'ms' },
      floor: { value: scan, unit: 'ms', label: 'nearest vector alone' },
      target,
    },
    {
      what: `search ${label} by keyword, p95`,
      measured: { value: keyword, unit: 'ms' },
      floor: null,
      target: null,
    },
  ];
}

function memoryRow(most: number | null): Row {
  return {
    what: '… peak memory',
    measured: { value: ownMemory(), unit: 'MB' },
    floor: null,
    target: most === null ? null : { of: 'measured', most },
  };
}

export function generatedDependencies(
  points: number,
  model = GENERATED_MODEL,
): Omit<SearchDependencies, 'store'> {
  const text = createTextSource(points + 2);
  let queries = 0;
  const nextSession = () => {
    queries += 1;
    return queries % SESSIONS;
  };
  const record = knownModel('nomic-ai/nomic-embed-text-v1.5');
  if (record === undefined) throw new Error('the default model is not known');
  const embedder: Embedder = {
    model: { ...record, ...model },
    embedDocuments: async () => [],
    embedQuery: async () => text.vector(nextSession(), model.dimensions),
    close: async () => undefined,
  };
  return {
    embedding: {
      queries: async () => embedder,
      embedder: async () => embedder,
      state: async () => ({ state: 'ready', directory: '' }),
    },
    tokenizer: createLexicalTokenizer(),
    sources: [],
    archives: [],
    searchAids: { times: async () => [], selections: () => [], log: null, formula: STANDARD, reranker: null },
    machine: {
      name: 'generated',
      platform: process.platform,
      shell: 'posix',
      now: Date.now,
      directoryExists: () => false,
    },
  };
}
