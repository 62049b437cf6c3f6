import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { compose } from '../../../src/compose/parts.ts';
import { openWorkerIndex } from '../../../src/compose/worker.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { WorkerMachine } from '../workers/worker-machine.ts';

/** Everything in an index that must not depend on how it was built. */
export interface IndexDump {
  sessions: unknown[];
  points: unknown[];
}

export function dumpIndex(home: string): IndexDump {
  return withIndex(home, (database) => ({
    sessions: database
      .prepare('SELECT session_id, content_hash, stale_tokens, payload FROM sessions ORDER BY session_id')
      .all(),
    points: database
      .prepare('SELECT id, type, chunk_index, content_hash, payload FROM points ORDER BY id')
      .all(),
  }));
}

/** The number of sessions and of chunks that contain each word: `[1, 1]` is one each. */
export function countFinds(home: string, words: string[]): Map<string, [number, number]> {
  if (!existsSync(join(home, 'index.db'))) return new Map();
  return withIndex(home, (database) => {
    if (!isMade(database)) return new Map();
    const count = (table: string, word: string) =>
      Number(database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${table} MATCH ?`).get(word)?.n);
    return new Map(words.map((word) => [word, [count('session_fts', word), count('chunk_fts', word)]]));
  });
}

export function countVectors(home: string): { points: number; vectors: number } {
  if (!existsSync(join(home, 'index.db'))) return { points: 0, vectors: 0 };
  return withIndex(home, (database) => {
    if (!isMade(database)) return { points: 0, vectors: 0 };
    const row = database.prepare('SELECT count(*) AS points, sum(has_vector) AS vectors FROM points').get();
    return { points: Number(row?.points), vectors: Number(row?.vectors ?? 0) };
  });
}

/** The same transcripts, indexed in a single run into another folder. */
export async function indexAfresh(machine: WorkerMachine): Promise<IndexDump> {
  const home = join(machine.root, 'afresh');
  const opened = await openWorkerIndex(
    await compose(await loadConfig({ ...machine.env, SMART_FORK_HOME: home })),
  );
  await indexTranscripts(opened.index, {});
  await opened.close();
  return dumpIndex(home);
}

function isMade(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chunk_fts'").get() !== undefined;
}

function withIndex<T>(home: string, work: (database: Database) => T): T {
  const database = openDatabase(join(home, 'index.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}
