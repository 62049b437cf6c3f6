import type { DamageNotes } from '../../../domain/damage.ts';
import type { ChunkPayload, MemoryPayload } from '../../../domain/point/point.ts';
import { readMeta, writeMeta } from '../database/migrate.ts';
import { type Database, emptyLog, prepareWrite } from '../database/open-database.ts';
import { memoryOf, PAYLOAD } from './point-payload.ts';
import { numberOf, readIntact } from './rows.ts';
import { createSessionStreams } from './session-streams.ts';

/** Full-text tables of sessions, of chunks, and of ideas and spans. */
export const WORD_TABLES = ['session_fts', 'chunk_fts', 'memory_fts'] as const;
export type WordTable = (typeof WORD_TABLES)[number];

/** The token stream of a stored text that has a full-text table. */
export type StreamOf = (payload: ChunkPayload | MemoryPayload) => string;

/** A table is worn once it has deleted this many rows and this share of the remaining ones. */
const MANY_ROWS = 8;
const MANY_SHARE = 0.3;

/**
 * Whether a full-text table counts many more rows than it has. A contentless FTS5 table never subtracts deleted rows from BM25's
 * totals, so every session that grows would make frequent words weigh more.
 */
export function isWorn(database: Database, table: WordTable): boolean {
  const rows = numberOf(database.prepare(`SELECT count(*) AS n FROM ${table}_docsize`).get(), 'n');
  return rememberedRows(database, table) - rows > MANY_ROWS + MANY_SHARE * rows;
}

/** A query looks up each word in every segment: with ten segments, a keyword search takes half as long again as with one. */
export const MANY_SEGMENTS = 8;
/** Merging blocks other writers for about a tenth of a second per thousand chunks. */
const MAX_ROWS_TO_MERGE = 10_000;

/** Whether a full-text table has more segments but is small enough to merge them all at once. Each segment repeats words. */
export function isScattered(database: Database, table: WordTable, most: number): boolean {
  if (rememberedRows(database, table) > MAX_ROWS_TO_MERGE) return false;
  const segments = database.prepare(`SELECT count(DISTINCT segid) AS n FROM ${table}_idx`).get();
  return numberOf(segments, 'n') > most;
}

/** Runs in the caller's transaction. Changes no answer. */
export function mergeSegments(database: Database, table: WordTable): void {
  prepareWrite(database, `INSERT INTO ${table} (${table}) VALUES ('optimize')`).run();
}

/** Rebuilds the full-text tables from the points, in the caller's transaction. */
export function rebuildWords(database: Database, damage: DamageNotes, streamOf: StreamOf): void {
  emptyWords(database);
  const insertChunk = prepareWrite(database, 'INSERT INTO chunk_fts (rowid, tokens) VALUES (?, ?)');
  const insertSession = insertSessionWords(database);
  const streams = createSessionStreams(database, damage, streamOf);
  for (const session of database.prepare('SELECT rowid FROM sessions').all()) {
    const rowid = numberOf(session, 'rowid');
    insertSession(
      rowid,
      streams(rowid, (chunk, tokens) => insertChunk.run(chunk, tokens)),
    );
  }
  prepareWrite(database, 'UPDATE sessions SET stale_tokens = 0').run();
  const insertMemory = prepareWrite(database, 'INSERT INTO memory_fts (rowid, tokens) VALUES (?, ?)');
  const memories = database.prepare(
    `SELECT p.rowid, ${PAYLOAD} FROM points p JOIN sessions s ON s.rowid = p.session WHERE p.type IN ('idea', 'span')`,
  );
  const rows = memories.all();
  readIntact(rows, damage, (row) => insertMemory.run(numberOf(row, 'rowid'), streamOf(memoryOf(row))));
}

/** Inserts a session's token stream, each token after its like: FTS5 stores a position close to the last one in one byte, not in two or three. */
export function insertSessionWords(database: Database): (rowid: number, tokens: string) => void {
  const insert = prepareWrite(database, 'INSERT INTO session_fts (rowid, tokens) VALUES (?, ?)');
  return (rowid, tokens) => insert.run(rowid, grouped(tokens));
}

function grouped(stream: string): string {
  const counts = new Map<string, number>();
  for (const token of stream.split(' ')) counts.set(token, (counts.get(token) ?? 0) + 1);
  const rareFirst = [...counts].sort(([, one], [, other]) => one - other);
  return rareFirst.map(([token, count]) => `${token} `.repeat(count)).join('');
}

/** Runs in the caller's transaction. */
export function emptyWords(database: Database): void {
  for (const table of WORD_TABLES)
    prepareWrite(database, `INSERT INTO ${table} (${table}) VALUES ('delete-all')`).run();
}

const REMAINS = 'remains';

/** Records, in the transaction that deletes text, that `wipeRemains` must follow. `mark` differs for each transaction. */
export function noteRemains(database: Database, mark: number): void {
  writeMeta(database, REMAINS, String(mark));
}

/**
 * Deleted text stays in FTS5 segments until they are merged, and in the WAL until it restarts. The record stays if the process is
 * killed here, or if another process's read prevents a restart: the next deletion, even of nothing, completes the removal.
 */
export function wipeRemains(database: Database): void {
  const mark = readMeta(database, REMAINS);
  if (mark === null) return;
  for (const table of WORD_TABLES) mergeSegments(database, table);
  if (emptyLog(database))
    prepareWrite(database, 'DELETE FROM meta WHERE key = ? AND value = ?').run(REMAINS, mark);
}

/** The number of rows according to BM25's totals. */
export function rememberedRows(database: Database, table: WordTable): number {
  const totals = database.prepare(`SELECT block FROM ${table}_data WHERE id = 1`).get()?.block;
  return totals instanceof Uint8Array ? readVarint(totals) : 0;
}

/** Reads SQLite's variable-length integer: seven bits per byte, highest first. */
function readVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes.subarray(0, 8)) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
