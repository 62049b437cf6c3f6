import { isRecord } from '../../../domain/is-record.ts';
import type { Inheritance, TranscriptFile } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { parseJson } from '../../jsonl/read-value.ts';
import { type MessageId, messageIds, ORIGIN } from './message-ids.ts';

/**
 * Finds the part of a transcript that was copied from its parent. Newer versions mark copied lines (`requestSessionId`,
 * `forkedFrom`). Older ones copy lines unchanged, so a sibling with the same first messages is the only sign.
 */
export function findInheritance(file: TranscriptFile, siblings: TranscriptFile[]): Inheritance | null {
  const marked = markedInheritance(file);
  if (marked === null) return siblings.length > 1 ? sharedInheritance(file, siblings) : null;
  const parent = siblings.find(({ sessionId }) => sessionId === marked.parentId);
  return parent === undefined
    ? marked
    : { ...marked, inheritedBytes: extend(marked.inheritedBytes, file, parent) };
}

/**
 * The last marked line names the parent: in a chain of forks A, B, C, the marked lines of C name A or B. A fork begins with its
 * copied lines, so the search ends at the first answer without a mark. Up to 100 kB of attachments and API requests may precede it.
 */
function markedInheritance(file: TranscriptFile): Inheritance | null {
  let found: Inheritance | null = null;
  readLines(file.path, 0, 0, (line, _number, offset) => {
    const origin = originOf(line);
    if (origin !== null && origin !== file.sessionId)
      found = { parentId: origin, inheritedBytes: offset + line.length };
    return found !== null || (origin === null && !isAnswer(line));
  });
  return found;
}

/** The session that a copied line names as its origin. */
function originOf(line: Buffer): string | null {
  const isMarked = line.includes('"requestSessionId"') || line.includes('"forkedFrom"');
  return isMarked ? (ORIGIN.exec(line.toString('utf8'))?.[1] ?? null) : null;
}

/** Whether the line is the model's answer. API errors and subagents' lines do not count: a fork may copy them unmarked. */
function isAnswer(line: Buffer): boolean {
  if (!line.includes('"assistant"')) return false;
  const value = parseJson(line.toString('utf8'));
  return (
    isRecord(value) &&
    value.type === 'assistant' &&
    value.isSidechain !== true &&
    value.isApiErrorMessage !== true
  );
}

/** Only answers are marked, so more lines of the parent may follow the last marked one. */
function extend(inheritedBytes: number, file: TranscriptFile, parent: TranscriptFile): number {
  const known = new Set(messageIds(parent.path).map(({ uuid }) => uuid));
  let end = inheritedBytes;
  for (const message of messageIds(file.path)) {
    if (message.end <= inheritedBytes) continue;
    if (!known.has(message.uuid)) break;
    end = message.end;
  }
  return end;
}

/**
 * Of two transcripts with the same first messages, the origin is the one that does not look like a copy; then the one that ends where
 * the other continues; if both continue, the one that continued first. A transcript with marks is itself a fork, so it is not the origin.
 */
function sharedInheritance(file: TranscriptFile, siblings: TranscriptFile[]): Inheritance | null {
  const own = messageIds(file.path);
  let best: Inheritance | null = null;
  for (const sibling of siblings) {
    if (sibling.path === file.path || sibling.sessionId === file.sessionId) continue;
    const other = messageIds(sibling.path);
    const known = new Set(other.map(({ uuid }) => uuid));
    let shared = 0;
    while (shared < own.length && known.has(own[shared]?.uuid ?? '')) shared += 1;
    if (shared === 0 || other.some(({ isMarked }) => isMarked)) continue;
    const isOrigin = own[0]?.isLate === other[0]?.isLate ? isOriginOf(other, own, shared) : own[0]?.isLate;
    if (isOrigin !== true) continue;
    const inheritedBytes = own[shared - 1]?.end ?? 0;
    if (best === null || inheritedBytes > best.inheritedBytes)
      best = { parentId: sibling.sessionId, inheritedBytes };
  }
  return best;
}

function isOriginOf(other: MessageId[], own: MessageId[], shared: number): boolean {
  const ownIds = new Set(own.map(({ uuid }) => uuid));
  const otherNext = other.find(({ uuid }) => !ownIds.has(uuid));
  const ownNext = own[shared];
  if (otherNext === undefined) return ownNext !== undefined;
  return ownNext !== undefined && otherNext.time < ownNext.time;
}
