import { lexicalText } from '../../../domain/point/chunking.ts';
import type { ChunkPayload } from '../../../domain/point/point.ts';
import { sealProblem } from '../../../domain/point/seal.ts';
import { createLexicalTokenizer } from '../../../domain/search/lexical.ts';
import { numbersIn } from '../../../domain/search/search.ts';
import type { LocalStore } from '../../../ports/outbox.ts';
import { INDEX_STEPS, readMeta, writeMeta } from '../database/migrate.ts';
import { canWrite, type Database, inTransaction } from '../database/open-database.ts';
import { openIndex } from '../database/open-index.ts';
import type { Guard } from '../database/open-migrated.ts';
import { countPoints, facet, listSessions } from './list-sessions.ts';
import { numberOf, sessionOf, textOf, textPointOf } from './rows.ts';
import { searchLists, tokenStatistics } from './search-lists.ts';
import { createTokenCounts } from './token-counts.ts';
import { createVectorTables } from './vectors.ts';
import { CHUNKING, createWrites } from './write-store.ts';

const SEAL = 'seal';

export interface SqliteOptions {
  /** The key that texts come sealed with; null for plain ones. See StoreInfo. */
  seal?: string | null;
  /** The token stream of a stored chunk, where its text does not tell it. */
  streamOf?: (chunk: ChunkPayload) => string;
  now?: () => number;
}

/**
 * Points in one SQLite file: payloads, FTS5 over ready-made tokens, sqlite-vec. The file is made on first use.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export function openSqlitePointStore(
  path: string,
  chunking: string,
  { seal = null, streamOf, now = Date.now }: SqliteOptions = {},
): LocalStore {
  const { database, guard } = openIndex(path);
  try {
    guard(() => settleSeal(database, path, seal));
  } catch (error) {
    database.close();
    throw error;
  }
  const tokenizer = createLexicalTokenizer();
  const stream = streamOf ?? ((chunk) => tokenizer.stream(lexicalText(chunk)));
  return createStore({ database, guard, chunking, now, streamOf: stream }, path);
}

/** An empty store takes the seal it is opened with. */
function settleSeal(database: Database, path: string, seal: string | null): void {
  const stored = () => readMeta(database, SEAL);
  if (stored() === seal) return;
  if (stored() === null && seal !== null) {
    inTransaction(database, () => {
      const isEmpty = database.prepare('SELECT 1 FROM sessions LIMIT 1').get() === undefined;
      if (isEmpty && stored() === null) writeMeta(database, SEAL, seal);
    });
  }
  const problem = sealProblem(path, stored(), seal);
  if (problem !== null) throw problem;
}

interface StoreParts {
  database: Database;
  guard: Guard;
  chunking: string;
  now: () => number;
  streamOf: (chunk: ChunkPayload) => string;
}

function createStore(parts: StoreParts, path: string): LocalStore {
  const { database, guard } = parts;
  const vectors = createVectorTables(database);
  const counts = createTokenCounts(database);
  const storeId = guard(() => readMeta(database, 'id')) ?? '';
  const run = async <T>(work: () => T): Promise<T> => guard(work);

  return {
    ...createWrites({ ...parts, vectors }),
    info: () =>
      run(() => ({
        storeId,
        schemaVersion: INDEX_STEPS.length,
        model: vectors.model(),
        chunking: readMeta(database, CHUNKING),
        seal: readMeta(database, SEAL),
        readOnly: !canWrite(path),
      })),
    getSession: (sessionId) =>
      run(() => {
        const row = database.prepare('SELECT payload FROM sessions WHERE session_id = ?').get(sessionId);
        return row === undefined ? null : sessionOf(row);
      }),
    getSessions: (ids) =>
      run(() =>
        database
          .prepare('SELECT payload FROM sessions WHERE session_id IN (SELECT value FROM json_each(?))')
          .all(JSON.stringify(ids))
          .map(sessionOf),
      ),
    findByIdPrefix: (prefix, limit) =>
      run(() =>
        database
          .prepare(
            'SELECT payload FROM sessions WHERE substr(session_id, 1, length(?)) = ? ORDER BY session_id LIMIT ?',
          )
          .all(prefix, prefix, limit)
          .map(sessionOf),
      ),
    getPoints: (ids) =>
      run(() =>
        database
          .prepare('SELECT id, payload, has_vector FROM points WHERE id IN (SELECT value FROM json_each(?))')
          .all(JSON.stringify(ids))
          .map((row) => ({
            id: textOf(row, 'id'),
            payload: textPointOf(row),
            hasVector: numberOf(row, 'has_vector') === 1,
          })),
      ),
    getChunks: (sessionId, from = 0) =>
      run(() =>
        database
          .prepare(
            `SELECT p.payload FROM points p JOIN sessions s ON s.rowid = p.session
              WHERE s.session_id = ? AND p.type = 'chunk' AND p.chunk_index >= ? ORDER BY p.chunk_index`,
          )
          .all(sessionId, from)
          .map(textPointOf)
          .filter((payload): payload is ChunkPayload => payload.type === 'chunk'),
      ),
    getHashes: (sessionId) =>
      run(() => {
        const rows = database
          .prepare(
            'SELECT p.id, p.content_hash FROM points p JOIN sessions s ON s.rowid = p.session WHERE s.session_id = ?',
          )
          .all(sessionId);
        return new Map(rows.map((row) => [textOf(row, 'id'), textOf(row, 'content_hash')]));
      }),
    list: (filter, limit, cursor) => run(() => listSessions(database, filter, limit, cursor)),
    count: (filter = {}) => run(() => countPoints(database, path, filter)),
    facet: (field, filter = {}) => run(() => facet(database, field, filter)),
    search: (query) => run(() => searchLists(database, counts, vectors, query)),
    scoreChunks: (ids, vector) => run(() => vectors.scoreChunks(ids, numbersIn(vector))),
    tokenStatistics: (tokens, of) => run(() => tokenStatistics(database, counts, tokens, of)),
    pointsWithoutVector: (limit) =>
      run(() =>
        database
          .prepare(
            `SELECT p.id, p.payload FROM points p JOIN sessions s ON s.rowid = p.session
              WHERE p.has_vector = 0 ORDER BY p.type DESC, s.ended_at DESC, p.chunk_index LIMIT ?`,
          )
          .all(limit)
          .map((row) => ({ id: textOf(row, 'id'), payload: textPointOf(row) })),
      ),
    countWithoutVector: () =>
      run(() => {
        const rows = database
          .prepare('SELECT type, count(*) AS n FROM points WHERE has_vector = 0 GROUP BY type')
          .all();
        const of = (type: string) =>
          numberOf(
            rows.find((row) => row.type === type),
            'n',
          );
        return { intents: of('intent'), chunks: of('chunk') };
      }),
    getVectors: (ids) => run(() => vectors.read(ids)),
    close: async () => database.close(),
  };
}
