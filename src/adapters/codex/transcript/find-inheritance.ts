import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type {
  Inheritance,
  TranscriptFile,
  TranscriptHead,
  WholeRead,
} from '../../../ports/transcript-source.ts';
import { type CodexHead, readHead } from '../place/read-head.ts';
import { readLines } from './lines.ts';
import { readPrefix } from './parse-line.ts';
import { readTranscript } from './read-transcript.ts';

/** See TranscriptSource.findInheritance. The copied bytes are told from the file alone: the parent need not be here. */
export function findInheritance(file: TranscriptFile): Inheritance | null {
  const head = readHead(file.path);
  if (head?.parentId == null) return null;
  return { parentId: head.parentId, inheritedBytes: head.base === null ? copiedBytes(file.path, head) : 0 };
}

/** See TranscriptSource.readWhole. */
export function readWhole(
  file: TranscriptFile,
  siblings: TranscriptFile[],
  onEvent: (event: TranscriptEvent) => void,
): WholeRead {
  const head = readHead(file.path);
  const missingParents: string[] = [];
  for (const part of inheritedParts(head, siblings, missingParents)) {
    const request = { from: 0, linesBefore: 0, inheritedBytes: Number.POSITIVE_INFINITY, name: null };
    readTranscript(part.path, { ...request, endOrdinal: part.endOrdinal }, (event) => {
      if (BELONGS_TO_CHILD.has(event.kind)) onEvent(event);
    });
  }
  const inheritedBytes = findInheritance(file)?.inheritedBytes ?? 0;
  const request = { from: 0, linesBefore: 0, inheritedBytes, name: file.name ?? null };
  return { ...readTranscript(file.path, request, onEvent), missingParents };
}

/** See TranscriptSource.head. A fork goes by its parent's id, and a session that is none by its own. */
export function describeHead(file: TranscriptFile): TranscriptHead {
  const head = readHead(file.path);
  return { fingerprint: head?.parentId ?? head?.id ?? null, workingDirectory: head?.cwd ?? null };
}

/**
 * The parents' transcripts that a fork continues, the oldest first. Ordinals run on from parent to child, so the
 * lowest end along the way bounds each of them.
 */
function inheritedParts(
  head: CodexHead | null,
  siblings: TranscriptFile[],
  missingParents: string[],
): { path: string; endOrdinal: number }[] {
  const parts: { path: string; endOrdinal: number }[] = [];
  const seen = new Set(head === null ? [] : [head.id]);
  let endOrdinal = Number.POSITIVE_INFINITY;
  for (let base = head?.base ?? null; base !== null && !seen.has(base.parentId); ) {
    const { parentId } = base;
    seen.add(parentId);
    endOrdinal = Math.min(endOrdinal, base.endOrdinal);
    const parent = siblings.find((sibling) => sibling.sessionId === parentId);
    if (parent === undefined) {
      missingParents.push(parentId);
      break;
    }
    parts.unshift({ path: parent.path, endOrdinal });
    base = readHead(parent.path)?.base ?? null;
  }
  return parts;
}

/**
 * Bytes before the first turn of the session's own. Copied lines keep the ids of the parent's turns, and both kinds of id
 * are UUIDs of version 7, which sort by time: a turn that is older than the session is not the session's.
 * 0 when the transcript names no turns: better to index a copy than to lose what is new.
 */
function copiedBytes(path: string, head: CodexHead): number {
  let own: number | null = null;
  let turns = 0;
  const { end } = readLines(path, 0, 0, (line, number, offset, complete) => {
    const turn = own === null && number > 1 ? turnStartedBy(line) : null;
    if (turn !== null) turns += 1;
    if (turn !== null && !isOlder(turn, head.id)) own = number === 2 ? 0 : offset;
    return complete;
  });
  return own ?? (turns === 0 ? 0 : end);
}

function turnStartedBy(line: Buffer): string | null {
  const prefix = readPrefix(line);
  const starts = prefix?.type === 'turn_context' || TURN_STARTS.has(prefix?.payloadType ?? '');
  return starts ? (TURN_ID.exec(line.toString('latin1', 0, 600))?.[1] ?? null) : null;
}

function isOlder(turnId: string, sessionId: string): boolean {
  return VERSION_7.test(turnId) && VERSION_7.test(sessionId) && turnId < sessionId;
}

const TURN_STARTS = new Set(['task_started', 'turn_started']);
const TURN_ID = /"turn_id":"([0-9a-f-]{36})"/;
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;
const BELONGS_TO_CHILD = new Set<TranscriptEvent['kind']>(['message', 'file', 'commit']);
