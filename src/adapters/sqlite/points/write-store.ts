import type { DamageNotes } from '../../../domain/damage.ts';
import { createLexicalTokenizer } from '../../../domain/search/lexical.ts';
import { tagChange } from '../../../domain/tags/tag-change.ts';
import type { LocalStore } from '../../../ports/outbox.ts';
import { lexicalTokens, type SessionChange } from '../../../ports/point-store.ts';
import { compact, isLoose } from '../database/compact.ts';
import { CHUNKING, type Guard, writeMeta } from '../database/migrate.ts';
import { type Database, inTransaction, prepareWrite } from '../database/open-database.ts';
import { createUnsentRows } from '../outbox/unsent-rows.ts';
import type { PointVector, VectorTables } from '../vectors/vector-tables.ts';
import { numberOf, SESSION_JSON, textOf } from './rows.ts';
import { hashOf, toStoredId } from './stored-ids.ts';
import {
  isScattered,
  isWorn,
  MANY_SEGMENTS,
  mergeSegments,
  noteRemains,
  rebuildWords,
  type StreamOf,
  WORD_TABLES,
  wipeRemains,
} from './word-tables.ts';
import { createSessionWriter } from './write-sessions.ts';

export interface WriteDependencies {
  database: Database;
  guard: Guard;
  damage: DamageNotes;
  vectors: VectorTables;
  chunking: string;
  now: () => number;
}

type Writes = LocalStore['received'];

export type StoreWrites = Pick<LocalStore, keyof Writes | 'received' | 'refresh'>;

/** The writing half of the store. Statements are prepared on the first write. */
export function createWrites(deps: WriteDependencies): StoreWrites {
  const { database, guard, damage, vectors, now } = deps;
  const tokenizer = createLexicalTokenizer();
  const streamOf: StreamOf = (payload) => lexicalTokens(payload, tokenizer) ?? '';
  const prepare = () => ({
    sessions: createSessionWriter(database, damage, vectors, streamOf),
    unsent: createUnsentRows(database, now),
  });
  let prepared: Prepared | null = null;
  const change = async <T>(work: (tables: Prepared) => T): Promise<T> =>
    guard(() =>
      inTransaction(database, () => {
        prepared ??= prepare();
        return work(prepared);
      }),
    );
  const merge = async (segments: number, signal: AbortSignal | undefined) => {
    for (const table of WORD_TABLES)
      if (signal?.aborted !== true && guard(() => isScattered(database, table, segments)))
        await change(() => mergeSegments(database, table));
  };
  return {
    ...writesOf(deps, change, true),
    received: writesOf(deps, change, false),
    refresh: async (signal) => {
      const stale = () => database.prepare('SELECT 1 FROM sessions WHERE stale_tokens = 1 LIMIT 1').get();
      let done = 0;
      // A run that has nothing to do must not wait for a writer.
      while (signal?.aborted !== true && guard(stale) !== undefined) {
        if (await change(({ sessions }) => sessions.refreshOne())) done += 1;
      }
      const worn = () => WORD_TABLES.some((table) => isWorn(database, table));
      if (done > 0 && signal?.aborted !== true && guard(worn))
        await change(() => rebuildWords(database, damage, streamOf));
      await merge(MANY_SEGMENTS, signal);
      if (signal?.aborted === true || !guard(() => isLoose(database))) return done;
      await merge(1, signal);
      compact(database);
      return done;
    },
  };
}

interface Prepared {
  sessions: ReturnType<typeof createSessionWriter>;
  unsent: ReturnType<typeof createUnsentRows>;
}

type InTransaction = <T>(work: (tables: Prepared) => T) => Promise<T>;

/** @param isOwn whether the changes must be sent; false for changes from the server. */
function writesOf(
  { database, guard, vectors, chunking }: WriteDependencies,
  change: InTransaction,
  isOwn: boolean,
): Writes {
  return {
    write: (changes) =>
      change(({ sessions, unsent }) => {
        writeMeta(database, CHUNKING, chunking);
        const write = (one: SessionChange): boolean => {
          const revision = unsent.nextRevision();
          if (!sessions.write(one, revision)) return false;
          const { session_id: id } = one.session.payload;
          const whole = isWhole(one) || !unsent.isRecorded(id, one.expected ?? '');
          if (isOwn) unsent.record(id, { texts: true, whole, archive: true }, revision);
          return true;
        };
        const conflicts = changes.filter((one) => !write(one));
        return { conflicts: conflicts.map((one) => one.session.payload.session_id) };
      }),
    deleteSessions: async (ids) => {
      const removed = await change(({ sessions, unsent }) => {
        const gone = new Set(ids.filter((id) => sessions.remove(id)));
        // A rebuilt store lacks sessions that it has sent to the server.
        const known = isOwn ? [...new Set(ids)].filter((id) => gone.has(id) || unsent.mayBeSent(id)) : [];
        for (const id of known) unsent.record(id, { removed: true }, unsent.nextRevision());
        if (gone.size > 0) noteRemains(database, unsent.nextRevision());
        return gone.size;
      });
      guard(() => wipeRemains(database));
      return removed;
    },
    setTags: (sessionId, tags) =>
      change(({ unsent }) => {
        const row = database
          .prepare(
            `SELECT json_extract(${SESSION_JSON}, '$.tags') AS tags FROM sessions s WHERE session_id = ?`,
          )
          .get(sessionId);
        if (row === undefined || row.tags === null) return;
        prepareWrite(
          database,
          "UPDATE sessions SET payload = json_set(payload, '$.tags', json(?)) WHERE session_id = ?",
        ).run(JSON.stringify(tags), sessionId);
        const changed = tagChange(JSON.parse(textOf(row, 'tags')) as string[], tags);
        if (isOwn && changed !== null) unsent.record(sessionId, { tags: changed }, unsent.nextRevision());
      }),
    setVectors: (model, items) =>
      change(({ unsent }) => {
        vectors.prepare(
          model,
          items.map(({ vector }) => vector),
        );
        const find = database.prepare(
          'SELECT p.rowid, p.type, p.content_hash, s.session_id FROM points p JOIN sessions s ON s.rowid = p.session WHERE p.id = ?',
        );
        const mark = prepareWrite(
          database,
          'UPDATE points SET has_vector = 1, vector_revision = ? WHERE rowid = ?',
        );
        const revision = unsent.nextRevision();
        const changed = new Set<string>();
        const added: PointVector[] = [];
        for (const { id, contentHash, vector } of items) {
          const row = find.get(toStoredId(id));
          if (row === undefined || hashOf(row) !== contentHash) continue;
          added.push({ type: textOf(row, 'type'), point: numberOf(row, 'rowid'), vector });
          mark.run(revision, numberOf(row, 'rowid'));
          changed.add(textOf(row, 'session_id'));
        }
        vectors.add(added);
        if (isOwn) for (const id of changed) unsent.record(id, { vectors: true }, revision);
      }),
  };
}

/** A session that was read from its beginning is compared; for one that grew, the points with a new revision are sent. */
function isWhole({ expected, tokens, deletes }: SessionChange): boolean {
  return expected === null || tokens !== null || deletes.length > 0;
}
