import type { DamageNotes } from '../../../domain/damage.ts';
import { type ChunkPayload, isMemory, type SessionPayload } from '../../../domain/point/point.ts';
import type { SessionChange, TextPointChange } from '../../../ports/point-store.ts';
import { type Database, prepareWrite, type Row } from '../database/open-database.ts';
import type { VectorTables } from '../vectors/vector-tables.ts';
import { entitiesOf, toStored } from './point-payload.ts';
import { numberOf, SESSION_JSON, textOf } from './rows.ts';
import { createSessionStreams } from './session-streams.ts';
import { hashOf, toStoredHash, toStoredId } from './stored-ids.ts';
import { insertSessionWords, type WordTable } from './word-tables.ts';

/** Statements are prepared once; every method runs inside the caller's transaction. */
export function createSessionWriter(
  database: Database,
  damage: DamageNotes,
  vectors: VectorTables,
  streamOf: (chunk: ChunkPayload) => string,
) {
  const findSession = database.prepare(
    `SELECT rowid, content_hash, json_extract(${SESSION_JSON}, '$.tags') AS tags FROM sessions s WHERE session_id = ?`,
  );
  const insertSession = prepareWrite(
    database,
    `INSERT INTO sessions (session_id, agent, machine, repo_id, repo_key, repo_name, branch, started_at, ended_at,
       content_hash, stale_tokens, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateSession = prepareWrite(
    database,
    `UPDATE sessions SET session_id = ?, agent = ?, machine = ?, repo_id = ?, repo_key = ?, repo_name = ?, branch = ?,
       started_at = ?, ended_at = ?, content_hash = ?, stale_tokens = ?, payload = ? WHERE rowid = ?`,
  );
  const deleteSession = prepareWrite(database, 'DELETE FROM sessions WHERE rowid = ?');
  const findKeptTags = database.prepare('SELECT tags FROM kept_tags WHERE session_id = ?');
  const dropKeptTags = prepareWrite(database, 'DELETE FROM kept_tags WHERE session_id = ?');
  const findPoint = database.prepare('SELECT rowid, type, content_hash FROM points WHERE id = ?');
  const insertPoint = prepareWrite(
    database,
    `INSERT INTO points (id, session, type, chunk_index, content_hash, ended_at, kind, is_open, payload, text_revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updatePoint = prepareWrite(
    database,
    'UPDATE points SET ended_at = ?, kind = ?, is_open = ?, payload = ?, text_revision = ? WHERE rowid = ?',
  );
  const deletePoint = prepareWrite(database, 'DELETE FROM points WHERE rowid = ?');
  const pointsOfSession = database.prepare('SELECT rowid, type FROM points WHERE session = ?');
  const streams = createSessionStreams(database, damage, streamOf);
  const chunkTokens = statementsFor(database, 'chunk_fts');
  const memoryTokens = statementsFor(database, 'memory_fts');
  const insertEntity = prepareWrite(database, 'INSERT OR IGNORE INTO entities (name, point) VALUES (?, ?)');
  const findPayload = database.prepare('SELECT payload FROM points WHERE rowid = ?');
  const deleteEntity = prepareWrite(database, 'DELETE FROM entities WHERE name = ? AND point = ?');
  const deleteEntities = prepareWrite(database, 'DELETE FROM entities WHERE point = ?');
  const insertSessionTokens = insertSessionWords(database);
  const deleteSessionTokens = prepareWrite(database, 'DELETE FROM session_fts WHERE rowid = ?');
  const findStale = database.prepare('SELECT rowid FROM sessions WHERE stale_tokens = 1 LIMIT 1');
  const markFresh = prepareWrite(database, 'UPDATE sessions SET stale_tokens = 0 WHERE rowid = ?');

  const dropPoint = (row: Row): void => {
    const rowid = numberOf(row, 'rowid');
    dropWords(String(row.type), rowid);
    vectors.remove(String(row.type), rowid);
    deletePoint.run(rowid);
  };
  const dropWords = (type: string, rowid: number): void => {
    if (type === 'chunk') chunkTokens.remove.run(rowid);
    if (type !== 'idea' && type !== 'span') return;
    memoryTokens.remove.run(rowid);
    const entities = entitiesOf(findPayload.get(rowid));
    if (entities === null) deleteEntities.run(rowid);
    else for (const name of entities) deleteEntity.run(name, rowid);
  };
  const putWords = ({ point: { payload }, tokens }: TextPointChange, rowid: number | bigint): void => {
    if (tokens !== null) (isMemory(payload) ? memoryTokens : chunkTokens).insert.run(rowid, tokens);
    if (isMemory(payload)) for (const name of payload.entities) insertEntity.run(name, rowid);
  };
  /** A point whose text is unchanged keeps its vector. */
  const putPoint = (session: number, of: SessionPayload, change: TextPointChange, revision: number): void => {
    const { point } = change;
    const { type, chunk_index, ended_at, content_hash } = point.payload;
    const { kind = null, is_open = null } = type === 'idea' ? point.payload : {};
    const changing = [ended_at, kind, is_open === null ? null : Number(is_open), toStored(point.payload, of)];
    const known = findPoint.get(toStoredId(point.id));
    if (known !== undefined && hashOf(known) === content_hash) {
      const rowid = numberOf(known, 'rowid');
      dropWords(type, rowid);
      updatePoint.run(...changing, revision, rowid);
      putWords(change, rowid);
      return;
    }
    if (known !== undefined) dropPoint(known);
    const [id, hash] = [toStoredId(point.id), toStoredHash(content_hash)];
    const values = [id, session, type, chunk_index, hash, ...changing, revision];
    putWords(change, insertPoint.run(...values).lastInsertRowid);
  };
  const putTokens = (session: number, isNew: boolean, tokens: string): void => {
    if (!isNew) deleteSessionTokens.run(session);
    insertSessionTokens(session, tokens);
  };

  const withKeptTags = (payload: SessionPayload): SessionPayload => {
    const row = findKeptTags.get(payload.session_id);
    if (row === undefined) return payload;
    dropKeptTags.run(payload.session_id);
    return { ...payload, tags: JSON.parse(textOf(row, 'tags')) };
  };

  const remove = (sessionId: string): boolean => {
    dropKeptTags.run(sessionId);
    const row = findSession.get(sessionId);
    if (row === undefined) return false;
    const session = numberOf(row, 'rowid');
    for (const point of pointsOfSession.all(session)) dropPoint(point);
    deleteSessionTokens.run(session);
    deleteSession.run(session);
    return true;
  };
  /** A damaged record is removed: no reader has seen it, so a writer expects no session. */
  const findIntact = (sessionId: string): Row | undefined => {
    const row = findSession.get(sessionId);
    if (row?.tags !== null) return row;
    remove(sessionId);
    return undefined;
  };

  return {
    /** Writes a session and gives its points the revision; false if the stored state is not the expected one. */
    write(change: SessionChange, revision: number): boolean {
      const row = findIntact(change.session.payload.session_id);
      if ((row?.content_hash ?? null) !== change.expected) return false;
      const columns = columnsOf(change.session.payload);
      const stale = change.tokens === null ? 1 : 0;
      let session = numberOf(row, 'rowid');
      if (row === undefined) {
        const payload = JSON.stringify(withKeptTags(change.session.payload));
        session = Number(insertSession.run(...columns, stale, payload).lastInsertRowid);
      } else {
        for (const point of change.deletes.map((id) => findPoint.get(toStoredId(id))))
          if (point) dropPoint(point);
        const tags: unknown = JSON.parse(textOf(row, 'tags'));
        updateSession.run(...columns, stale, JSON.stringify({ ...change.session.payload, tags }), session);
      }
      for (const upsert of change.upserts) putPoint(session, change.session.payload, upsert, revision);
      if (change.tokens !== null) putTokens(session, row === undefined, change.tokens);
      return true;
    },
    remove,
    /** Writes the token stream of one session that grew; false if no session is stale. */
    refreshOne(): boolean {
      const row = findStale.get();
      if (row === undefined) return false;
      const session = numberOf(row, 'rowid');
      putTokens(session, false, streams(session));
      markFresh.run(session);
      return true;
    },
  };
}

function statementsFor(database: Database, table: WordTable) {
  return {
    insert: prepareWrite(database, `INSERT INTO ${table} (rowid, tokens) VALUES (?, ?)`),
    remove: prepareWrite(database, `DELETE FROM ${table} WHERE rowid = ?`),
  };
}

function columnsOf(payload: SessionPayload) {
  return [
    payload.session_id,
    payload.agent,
    payload.machine,
    payload.repo_id,
    payload.repo_key,
    payload.repo_name,
    payload.branch,
    payload.started_at,
    payload.ended_at,
    payload.content_hash,
  ] as const;
}
