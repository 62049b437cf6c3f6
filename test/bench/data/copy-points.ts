import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { unpackPayload } from '../../../src/adapters/sqlite/points/pack-payload.ts';
import { tokensOf } from './generated-text.ts';

/** Ids of rows of one copy are this far from those of the next. */
const STRIDE = 1_000_000;

/**
 * Copies all sessions of a store under new ids, in an eighth of the time that writing takes. Text and vectors are the same.
 * @param from the number of the first copy, from 1
 * @param to the number of the last one
 */
export function copyPoints(path: string, from: number, to: number): void {
  const database = openDatabase(path);
  const chunks = database
    .prepare(`SELECT rowid, session, payload FROM points WHERE type = 'chunk' AND rowid < ${STRIDE}`)
    .all()
    .map(({ rowid, session, payload }) => ({
      rowid: Number(rowid),
      session: Number(session),
      tokens: tokensOf(String(JSON.parse(unpackPayload(payload)).content).split(' ')),
    }));
  const streams = new Map<number, string>();
  for (const { session, tokens } of chunks) streams.set(session, `${streams.get(session) ?? ''}${tokens}`);
  const addChunk = database.prepare('INSERT INTO chunk_fts (rowid, tokens) VALUES (?, ?)');
  const addSession = database.prepare('INSERT INTO session_fts (rowid, tokens) VALUES (?, ?)');
  for (let copy = from; copy <= to; copy += 1) {
    const add = copy * STRIDE;
    const id = `printf('%08x', ${copy}) || substr(session_id, 1, 28)`;
    database.exec(`BEGIN;
      INSERT INTO sessions SELECT rowid + ${add}, ${id}, agent, machine, repo_id, repo_key, repo_name, branch, started_at, ended_at,
        content_hash, 0, json_set(payload, '$.session_id', ${id}) FROM sessions WHERE rowid < ${STRIDE};
      INSERT INTO points SELECT rowid + ${add}, unhex(printf('%08x', ${copy}) || substr(hex(id), 9)), session + ${add}, type, chunk_index, ended_at,
        content_hash, has_vector, payload, text_revision, vector_revision, kind, is_open FROM points WHERE rowid < ${STRIDE};
      INSERT INTO vectors SELECT rowid + ${add}, vector FROM vectors WHERE rowid < ${STRIDE};
      INSERT INTO signs SELECT type, point + ${add}, signs FROM signs WHERE point < ${STRIDE};`);
    for (const { rowid, tokens } of chunks) addChunk.run(rowid + add, tokens);
    for (const [rowid, tokens] of streams) addSession.run(rowid + add, tokens);
    database.exec('COMMIT');
    process.stderr.write(`  copy ${copy} of ${to}\n`);
  }
  database.close();
}
