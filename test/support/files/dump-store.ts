import { openDatabase, type Row } from '../../../src/adapters/sqlite/database/open-database.ts';
import { unpackPayload } from '../../../src/adapters/sqlite/points/pack-payload.ts';
import { hashOf, pointIdOf } from '../../../src/adapters/sqlite/points/stored-ids.ts';

/** Everything in a store that a search can see, in a fixed order. */
export interface StoreDump {
  integrity: string;
  sessions: unknown[];
  points: unknown[];
  /** Every seventh term, with the sessions or points that contain it. */
  sessionWords: Map<string, string>;
  chunkWords: Map<string, string>;
  memoryWords: Map<string, string>;
  waitingForWords: number;
}

export function dumpStore(path: string): StoreDump {
  const database = openDatabase(path);
  const rows = (sql: string, ...params: string[]): Row[] => database.prepare(sql).all(...params);
  const words = (table: string, vocabulary: string, id: string, from: string) => {
    const match = database.prepare(
      `SELECT ${id} AS id FROM ${table} f JOIN ${from} ON t.rowid = f.rowid WHERE ${table} MATCH ? ORDER BY 1`,
    );
    return new Map(
      rows(`SELECT term, doc FROM ${vocabulary} ORDER BY term`)
        .filter((_, at) => at % 7 === 0)
        .map(({ term, doc }) => {
          const hits = match.all(`"${String(term)}"`).map((hit) => String(hit.id));
          return [String(term), `${String(doc)}: ${hits.join(', ')}`];
        }),
    );
  };
  try {
    return {
      integrity: String(rows('PRAGMA integrity_check')[0]?.integrity_check),
      sessions: rows('SELECT session_id, content_hash, payload FROM sessions ORDER BY session_id').map(
        parsed,
      ),
      points: rows(
        'SELECT p.id, s.session_id, p.type, p.content_hash, p.payload FROM points p JOIN sessions s ON s.rowid = p.session ORDER BY p.id',
      ).map(parsed),
      sessionWords: words('session_fts', 'session_vocabulary', 't.session_id', 'sessions t'),
      chunkWords: words('chunk_fts', 'chunk_vocabulary', 'hex(t.id)', 'points t'),
      memoryWords: words('memory_fts', 'memory_vocabulary', 'hex(t.id)', 'points t'),
      waitingForWords: rows('SELECT 1 FROM sessions WHERE stale_tokens = 1').length,
    };
  } finally {
    database.close();
  }
}

function parsed(row: Row): unknown {
  const { payload } = row;
  const json = typeof payload === 'string' ? payload : unpackPayload(payload);
  const ids = row.id === undefined ? {} : { id: pointIdOf(row), content_hash: hashOf(row) };
  return { ...row, ...ids, payload: JSON.parse(json) as unknown };
}
