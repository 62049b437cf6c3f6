import type { DamageNotes } from '../../../domain/damage.ts';
import type { ChunkPayload } from '../../../domain/point/point.ts';
import type { Database } from '../database/open-database.ts';
import { chunkOf, PAYLOAD } from './point-payload.ts';
import { numberOf, readIntact } from './rows.ts';

/**
 * The longest token stream of a session, in UTF-16 units, for about 4 MB of conversation.
 * SQLite holds a row's words in memory. A longer session is represented by every second chunk, or every fourth, and so on; all its chunks can still be found.
 */
const LONGEST_STREAM = 16_000_000;
/** Chunks read at once. */
const PAGE = 500;

/** Builds a session's token stream from its chunks, and reports each chunk's own. */
export function createSessionStreams(
  database: Database,
  damage: DamageNotes,
  streamOf: (chunk: ChunkPayload) => string,
) {
  const read = database.prepare(
    `SELECT p.rowid, ${PAYLOAD} FROM points p JOIN sessions s ON s.rowid = p.session
      WHERE p.session = ? AND p.type = 'chunk' AND p.chunk_index > ? ORDER BY p.chunk_index LIMIT ?`,
  );
  return (session: number, onChunk?: (rowid: number, tokens: string) => void): string => {
    let every = 1;
    let streams: string[] = [];
    let length = 0;
    const keep = (tokens: string) => {
      streams.push(tokens);
      length += tokens.length;
      if (length <= LONGEST_STREAM) return;
      every *= 2;
      streams = streams.filter((_, at) => at % 2 === 0);
      length = streams.reduce((sum, one) => sum + one.length, 0);
    };
    for (let last = -1, at = 0; ; ) {
      const page = read.all(session, last, PAGE);
      for (const row of page) {
        last = numberOf(row, 'chunk_index');
        const counts = at % every === 0;
        at += 1;
        if (!counts && onChunk === undefined) continue;
        const [tokens = ''] = readIntact([row], damage, (chunk) => streamOf(chunkOf(chunk)));
        onChunk?.(numberOf(row, 'rowid'), tokens);
        if (counts) keep(tokens);
      }
      if (page.length < PAGE) return streams.join('');
    }
  };
}
