import { existsSync, rmSync } from 'node:fs';
import { SmartForkError } from '../../../domain/errors.ts';
import { nodeCrypto } from '../../../domain/text/hash.ts';
import { PACKED } from '../database/compact.ts';
import { CHUNKING, openMigrated, writeMeta } from '../database/migrate.ts';
import { type Database, inTransaction, isDamaged, prepareWrite } from '../database/open-database.ts';
import { INDEX_SCHEMA } from '../database/schemas.ts';
import { SESSION_JSON, textOf } from '../points/rows.ts';
import { emptyWords, noteRemains, wipeRemains } from '../points/word-tables.ts';
import { createVectorTables } from '../vectors/vector-tables.ts';
import { mergeChanges, NOTHING } from './merge-changes.ts';
import { changeOf, createUnsentRows } from './unsent-rows.ts';

/**
 * Empties the local store in one transaction, because other processes may have the file open. Tags are kept until their sessions are
 * indexed again. Only a damaged file is deleted.
 * @throws SmartForkError STORE_UNAVAILABLE; STORE_INCOMPATIBLE if another version wrote the file.
 */
export function dropIndex(path: string): void {
  if (!existsSync(path)) return;
  try {
    const { database, guard } = openMigrated(path, INDEX_SCHEMA);
    try {
      guard(() => empty(database));
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof SmartForkError) || !isDamaged(error.message)) throw error;
    // The file itself first: SQLite deletes a log that belongs to an empty file.
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  }
}

function empty(database: Database): void {
  const vectors = createVectorTables(database);
  const unsent = createUnsentRows(database, Date.now);
  inTransaction(database, () => {
    vectors.drop();
    emptyWords(database);
    database.exec(`
      INSERT OR REPLACE INTO kept_tags
        SELECT session_id, json_extract(${SESSION_JSON}, '$.tags') FROM sessions s WHERE json_array_length(${SESSION_JSON}, '$.tags') > 0;
      DELETE FROM entities; DELETE FROM points; DELETE FROM sessions;
      DELETE FROM meta WHERE key IN ('${CHUNKING}', '${PACKED}');
      UPDATE sent SET revision = NULL, vectors = NULL;
    `);
    keepOwnChanges(database);
    writeMeta(database, 'id', nodeCrypto().randomUUID());
    noteRemains(database, unsent.nextRevision());
  });
  // A reading process may delay these. The next deletion then completes them.
  database.exec('PRAGMA busy_timeout = 500; VACUUM');
  wipeRemains(database);
}

/** Keeps pending changes that a new index cannot know. Texts are read from the transcripts again. */
function keepOwnChanges(database: Database): void {
  const drop = prepareWrite(database, 'DELETE FROM unsent WHERE session_id = ?');
  const update = prepareWrite(database, 'UPDATE unsent SET change = ? WHERE session_id = ?');
  for (const row of database.prepare('SELECT * FROM unsent').all()) {
    const { tags, removed, forgotten, revived } = changeOf(row);
    const id = textOf(row, 'session_id');
    if (tags === null && !removed && !revived) drop.run(id);
    else update.run(JSON.stringify(mergeChanges(NOTHING, { tags, removed, forgotten, revived })), id);
  }
}
