import type { Inheritance } from '../../../ports/transcript-source.ts';
import { type Rollouts, readLines } from '../files/read-file.ts';
import { readMeta, type SessionMeta } from './read-head.ts';
import { readPrefix } from './sniff-line.ts';

/** See TranscriptSource.findInheritance. The file itself shows which lines were copied, so the parent need not be on this machine. */
export function findInheritance(
  files: Rollouts,
  importedFrom: (sessionId: string | null) => string | null = () => null,
): Inheritance | null {
  const meta = readMeta(files);
  if (meta === null) return null;
  if (meta.parentId === null) {
    const origin = importedFrom(meta.id);
    return origin === null ? null : { parentId: origin, inheritedBytes: copiedBytes(files, meta) };
  }
  if (meta.base !== null) return { parentId: meta.parentId, inheritedBytes: 0 };
  const parentId = importedFrom(meta.parentId) ?? meta.parentId;
  return { parentId, inheritedBytes: copiedBytes(files, meta) };
}

/**
 * Bytes before the session's own first turn. Copied lines keep the parent's turn ids. Ids of turns and sessions are version 7 UUIDs,
 * which sort by time: a turn older than the session is a copy, and so is an imported turn. 0 if the transcript names no turns, because
 * indexing a copy is better than losing new text.
 */
function copiedBytes(files: Rollouts, meta: SessionMeta): number {
  let own: number | null = null;
  let turns = 0;
  const { end } = readLines(files, 0, 0, (line, number, offset, complete) => {
    const turn = own === null && number > 1 ? turnStartedBy(line) : null;
    if (turn !== null) turns += 1;
    if (turn !== null && !isOlderTurn(turn, meta.id)) own = number === 2 ? 0 : offset;
    return complete && own === null;
  });
  return own ?? (turns === 0 ? 0 : end);
}

function turnStartedBy(line: Buffer): string | null {
  const prefix = readPrefix(line);
  const starts = prefix?.type === 'turn_context' || TURN_STARTS.has(prefix?.payloadType ?? '');
  return starts ? (TURN_ID.exec(line.toString('latin1', 0, 600))?.[1] ?? null) : null;
}

/** Whether a turn is older than the session, so that its line is a copy. */
export function isOlderTurn(turnId: string, sessionId: string): boolean {
  return (
    turnId.startsWith(IMPORTED) || (VERSION_7.test(turnId) && VERSION_7.test(sessionId) && turnId < sessionId)
  );
}

const TURN_STARTS = new Set(['task_started', 'turn_started']);
const IMPORTED = 'external-import-turn-';
const TURN_ID = /"turn_id":"([0-9a-f-]{36}|external-import-turn-\d+)"/;
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;
