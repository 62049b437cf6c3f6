import type { SessionPayload } from '../../domain/point/point.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { type LocateDependencies, transcriptOf } from '../sessions/locate-session.ts';

const FRESH_MS = 60_000;
const TAIL_BYTES = 128 * 1024;
/** Part size of `TranscriptBytes.parts`, in bytes. */
const PART_BYTES = 1024 * 1024;

/**
 * The sessions that a search probably comes from, because the query is in a line written seconds ago. For agents that do not say
 * which session is running.
 */
export function findAskers(deps: LocateDependencies, query: string, sessions: SessionPayload[]): string[] {
  const wanted = plain(query);
  if (wanted.trim() === '') return [];
  return sessions
    .filter((session) => {
      const transcript = transcriptOf(deps, session);
      const source = deps.sources.find(({ agent }) => agent === session.agent);
      if (transcript === null || source === undefined) return false;
      const since = deps.machine.now() - FRESH_MS;
      if (transcript.mtimeMs < since) return false;
      const lines = readTail(source, transcript).split('\n');
      return lines.some((line) => timeOf(line) > since && plain(line).includes(wanted));
    })
    .map(({ session_id }) => session_id);
}

/** Words in lower case, whatever separates them: in a transcript, the query is escaped once or twice. */
function plain(text: string): string {
  const low = text.replace(/(?<!\\)\\+[nrt]/g, ' ').toLowerCase();
  const words = low.split(/[^\0-\x7f]/.test(low) ? /[^\p{L}\p{N}]+/u : /[^a-z\d]+/);
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}

/** When a line was written, in milliseconds, by the agents' timestamps; 0 if unknown. A restored transcript is a new file with old lines. */
function timeOf(line: string): number {
  return Date.parse(/"timestamp":"([^"]{10,40})"/.exec(line)?.[1] ?? '') || 0;
}

function readTail(source: TranscriptSource, { path, size }: TranscriptFile): string {
  const from = Math.max(0, size - TAIL_BYTES);
  const part = Math.floor(from / PART_BYTES);
  const bytes = Buffer.concat([...(source.bytes?.parts(path, part) ?? [])]);
  return bytes.toString('utf8', from - part * PART_BYTES);
}
