import { createDamage, type DamageNotes } from '../../../domain/damage.ts';
import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import type { MemoryPayload } from '../../../domain/point/point.ts';
import type { StoredPoint } from '../../../domain/search/search.ts';
import type { LocalStore } from '../../../ports/outbox.ts';
import type { MemoryOf } from '../../../ports/point-store.ts';
import { CHUNKING, openMigrated, readMeta } from '../database/migrate.ts';
import { canWrite, type Database } from '../database/open-database.ts';
import { rememberAnswers } from '../database/remember-answers.ts';
import { INDEX_SCHEMA } from '../database/schemas.ts';
import { listMemory } from '../memory/list-memory.ts';
import { createVectorTables, type VectorTables } from '../vectors/vector-tables.ts';
import { find } from './find.ts';
import { lazyWrites } from './lazy-writes.ts';
import { countPoints, coverageOf, facet, listDamaged, listSessions } from './list-sessions.ts';
import { chunkOf, entitiesOf, PAYLOAD, payloadOf } from './point-payload.ts';
import { numberOf, readIntact, sessionOf } from './rows.ts';
import { hashOf, pointIdOf } from './stored-ids.ts';
import { createTokenCounts } from './token-counts.ts';

/** In every search, a server asks for the same few lists: those of the repositories of its results. */
const MAX_ANSWERS = 24;
/** Longest page to cache. Longer pages are requested only when all sessions are read, and only once. */
const LONGEST_REMEMBERED = 100;

/**
 * Points in one SQLite file: payloads, FTS5 over ready-made tokens, and sqlite-vec. The file is created on first use.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export function openSqlitePointStore(
  path: string,
  chunking: string,
  { now = Date.now }: { now?: () => number } = {},
): LocalStore {
  const { database, guard } = openMigrated(path, INDEX_SCHEMA);
  const vectors = createVectorTables(database);
  const counts = createTokenCounts(database);
  const remember = rememberAnswers(database, MAX_ANSWERS);
  const coverage = () => remember('coverage', () => coverageOf(database, null));
  const notes = () => ({
    storeId: readMeta(database, 'id') ?? '',
    model: vectors.model(),
    chunking: readMeta(database, CHUNKING),
    seal: null,
  });
  const damage = createDamage(`the index ${path}`, DAMAGED);
  const run = async <T>(work: () => T): Promise<T> => guard(work);

  return {
    ...lazyWrites({ database, guard, damage, vectors, chunking, now }),
    info: () => run(() => ({ ...remember('info', notes), readOnly: !canWrite(path) })),
    getSessions: (ids) =>
      run(() =>
        readIntact(
          database
            .prepare(
              'SELECT session_id, payload FROM sessions WHERE session_id IN (SELECT value FROM json_each(?))',
            )
            .all(JSON.stringify(ids)),
          damage,
          sessionOf,
        ),
      ),
    findByIdPrefix: (prefix, limit) =>
      run(() =>
        readIntact(
          database
            .prepare(
              'SELECT session_id, payload FROM sessions WHERE substr(session_id, 1, length(?)) = ? ORDER BY session_id LIMIT ?',
            )
            .all(prefix, prefix, limit),
          damage,
          sessionOf,
        ),
      ),
    idsNextTo: (ids) =>
      run(() =>
        database
          .prepare(
            `SELECT (SELECT max(session_id) FROM sessions WHERE session_id < value) AS before,
              (SELECT min(session_id) FROM sessions WHERE session_id > value) AS after FROM json_each(?)`,
          )
          .all(JSON.stringify(ids))
          .flatMap(({ before, after }) => [before, after].filter((id) => typeof id === 'string')),
      ),
    wordsBeginningWith: (letters, limit) =>
      run(() =>
        database
          .prepare(
            `SELECT term FROM session_vocabulary WHERE term >= ? AND term < ? AND instr(term, '+') = 0
             ORDER BY doc DESC, term LIMIT ?`,
          )
          .all(letters, `${letters}\uffff`, limit)
          .flatMap(({ term }) => (typeof term === 'string' ? [term] : [])),
      ),
    getPoints: (ids, options) =>
      run(() => getPoints(database, damage, vectors, ids, options?.vectors === true)),
    getChunks: (sessionId, from = 0) =>
      run(() =>
        readIntact(
          database
            .prepare(
              `SELECT ${PAYLOAD} FROM points p JOIN sessions s ON s.rowid = p.session
                WHERE s.session_id = ? AND p.type = 'chunk' AND p.chunk_index >= ? ORDER BY p.chunk_index`,
            )
            .all(sessionId, from),
          damage,
          chunkOf,
        ),
      ),
    getHashes: (sessionId) =>
      run(() => {
        const rows = database
          .prepare(
            'SELECT p.id, p.content_hash, p.payload FROM points p JOIN sessions s ON s.rowid = p.session WHERE s.session_id = ?',
          )
          .all(sessionId);
        return new Map(rows.map((row) => [pointIdOf(row), entitiesOf(row) === null ? '' : hashOf(row)]));
      }),
    list: (filter, limit, cursor) =>
      run(() => {
        const list = () => listSessions(database, damage, filter, limit, cursor);
        if (cursor !== undefined || limit > LONGEST_REMEMBERED) return list();
        const page = remember(JSON.stringify([filter, limit]), list);
        return { ...page, sessions: [...page.sessions] };
      }),
    count: (filter = {}) => run(() => countPoints(database, path, filter, coverage)),
    facet: (field, filter = {}) => run(() => facet(database, field, filter)),
    find: (query) =>
      run(() => find(database, counts, vectors, { ...query, coverage: query.coverage ?? coverage() })),
    listMemory: <T extends MemoryPayload['type']>(type: T, filter: MemoryFilter, limit: number) =>
      run(() => listMemory(database, damage, type, filter, limit) as MemoryOf<T>[]),
    pointsWithoutVector: (limit) =>
      run(() =>
        readIntact(
          database
            .prepare(
              `SELECT p.id, ${PAYLOAD} FROM points p JOIN sessions s ON s.rowid = p.session
                WHERE p.has_vector = 0 ORDER BY instr('intent chunk idea span', p.type), s.ended_at DESC, p.chunk_index LIMIT ?`,
            )
            .all(limit),
          damage,
          (row) => ({ id: pointIdOf(row), payload: payloadOf(row) }),
        ),
      ),
    listDamaged: (filter) => run(() => listDamaged(database, filter)),
    notices: damage.notices,
    close: async () => database.close(),
  };
}

const DAMAGED = {
  code: 'INDEX_DATA_DAMAGED',
  hint: 'smart-fork reindex rebuilds the index from the transcripts.',
};

function getPoints(
  database: Database,
  damage: DamageNotes,
  vectors: VectorTables,
  ids: string[],
  withVectors: boolean,
): StoredPoint[] {
  const stored = withVectors ? vectors.read(ids) : null;
  const rows = database
    .prepare(
      `SELECT p.id, p.has_vector, ${PAYLOAD} FROM points p JOIN sessions s ON s.rowid = p.session
        WHERE p.id IN (SELECT unhex(value, '-') FROM json_each(?))`,
    )
    .all(JSON.stringify(ids));
  return readIntact(rows, damage, (row) => {
    const id = pointIdOf(row);
    const vector = stored?.get(id);
    return {
      id,
      payload: payloadOf(row),
      hasVector: numberOf(row, 'has_vector') === 1,
      vector,
    };
  });
}
