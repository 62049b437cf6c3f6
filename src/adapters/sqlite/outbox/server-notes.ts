import type { ServerNotes } from '../../../ports/outbox.ts';
import { readMeta, writeMeta } from '../database/migrate.ts';
import type { Database } from '../database/open-database.ts';

const SERVER = 'server';

const NO_NOTES: ServerNotes = {
  storeId: null,
  handshakeAt: null,
  pause: null,
  embeddingPause: null,
  begun: [],
  superseded: [],
};

export function readNotes(database: Database): ServerNotes {
  const text = readMeta(database, SERVER);
  // Written by `writeNotes` with fields of this type.
  return text === null ? NO_NOTES : { ...NO_NOTES, ...(JSON.parse(text) as Partial<ServerNotes>) };
}

/** Runs inside the caller's transaction. */
export function writeNotes(database: Database, patch: Partial<ServerNotes>): void {
  writeMeta(database, SERVER, JSON.stringify({ ...readNotes(database), ...patch }));
}
