import { existsSync } from 'node:fs';
import type { PendingChange, ServerNotes } from '../../../ports/outbox.ts';
import { openMigrated, readMeta, writeMeta } from '../database/migrate.ts';
import { STATE_STEPS } from '../database/migration-steps.ts';
import { type Database, inTransaction, prepareWrite } from '../database/open-database.ts';
import { numberOf, textOf, textOrNull } from '../points/rows.ts';
import { NO_NOTES, writeNotes } from './server-notes.ts';
import { createUnsentRows } from './unsent-rows.ts';

/**
 * How far the outbox in `state.db` has been taken over. `copied`: copied here, but not deleted there yet. Two files cannot change in one
 * transaction; this mark, which is written in the same transaction as the copy, makes every step happen once, whenever the process
 * dies.
 */
const TAKEN_OVER = 'outbox_taken_over';
type Mark = 'copied' | 'done';

/** Keys in `meta` for the notes about the server. */
const KEYS: Record<keyof ServerNotes, string> = {
  storeId: 'outbox_store',
  handshakeAt: 'outbox_greeted',
  pause: 'outbox_pause',
  embeddingPause: 'outbox_embedding',
  begun: 'outbox_begun',
  superseded: 'outbox_outgrown',
};

/** A change as stored in `state.db`. */
interface OldChange
  extends Pick<PendingChange, 'whole' | 'tags' | 'removed' | 'forgotten' | 'revived' | 'archive'> {
  points: string[];
  deletes: string[];
  /** Null means all. */
  vectors: string[] | null;
}

export function takeOverOutbox(index: Database, statePath: string): void {
  if (readMeta(index, TAKEN_OVER) === 'done') return;
  const mark = (to: Mark): void => writeMeta(index, TAKEN_OVER, to);
  if (!existsSync(statePath)) {
    mark('done');
    return;
  }
  const { database: state } = openMigrated(statePath, STATE_STEPS);
  try {
    inTransaction(index, () => {
      if (readMeta(index, TAKEN_OVER) !== null) return;
      copyHere(state, index);
      mark('copied');
    });
    inTransaction(index, () => {
      if (readMeta(index, TAKEN_OVER) !== 'copied') return;
      inTransaction(state, () => clear(state));
      mark('done');
    });
  } finally {
    state.close();
  }
}

function copyHere(state: Database, index: Database): void {
  const rows = createUnsentRows(index, Date.now);
  const keep = prepareWrite(
    index,
    'UPDATE unsent SET since = ?, tries = ?, due = ?, reason = ? WHERE session_id = ?',
  );
  const note = prepareWrite(index, 'INSERT OR IGNORE INTO sent VALUES (?, ?, ?, ?, ?)');
  // For a new index, it is unknown what the server has. For an older one, the server has everything outside the outbox.
  const isNew = index.prepare('SELECT 1 FROM sessions LIMIT 1').get() === undefined;
  const partial = new Set<string>();
  for (const row of state.prepare('SELECT * FROM outbox').all()) {
    const { points, deletes, vectors, ...change } = JSON.parse(textOf(row, 'change')) as OldChange;
    const whole = change.whole || points.length + deletes.length > 0;
    const hasVectors = vectors === null || vectors.length > 0;
    const id = textOf(row, 'session_id');
    if (hasVectors) partial.add(id);
    rows.put(id, { ...change, whole, vectors: hasVectors }, rows.nextRevision());
    keep.run(
      numberOf(row, 'since'),
      numberOf(row, 'tries'),
      numberOf(row, 'due'),
      textOrNull(row.reason),
      id,
    );
  }
  for (const row of state.prepare('SELECT * FROM sent').all()) {
    const remoteId = textOf(row, 'remote_id');
    const vectors = isNew || partial.has(remoteId) ? null : 0;
    note.run(textOf(row, 'session_id'), remoteId, textOf(row, 'content_hash'), isNew ? null : 0, vectors);
  }
  writeNotes(index, notesIn(state));
}

function notesIn(state: Database): ServerNotes {
  const { storeId, handshakeAt, ...lists } = KEYS;
  const found = Object.entries(lists).flatMap(([field, key]) => {
    const text = readMeta(state, key);
    return text === null ? [] : [[field, JSON.parse(text)]];
  });
  return {
    ...NO_NOTES,
    ...(Object.fromEntries(found) as Partial<ServerNotes>),
    storeId: readMeta(state, storeId),
    handshakeAt: Number(readMeta(state, handshakeAt)) || null,
  };
}

function clear(state: Database): void {
  state.exec("DELETE FROM outbox; DELETE FROM sent; DELETE FROM meta WHERE key GLOB 'outbox_*'");
}
