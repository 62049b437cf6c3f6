import { closeSync, openSync, readSync } from 'node:fs';
import type { Inheritance, TranscriptFile, TranscriptHead } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { isRecord } from './read-value.ts';

const FIRST_BYTES = 16 * 1024;
const LONGEST_HEAD_BYTES = 4 * 1024 * 1024;

/**
 * The id of the first message, which a fork's copied lines keep or name, and the folder the agent was started in. Both
 * stand at the edges of a line, which may be megabytes of a pasted image.
 */
export function readTranscriptHead(path: string): TranscriptHead {
  const text = readFirstMessage(path, FIRST_BYTES).toString('latin1');
  const directory = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const first = /"uuid":"([0-9a-f-]{36})"/.exec(text);
  const line = first === null ? '' : lineAround(text, first.index);
  return {
    fingerprint: /"forkedFrom":\{[^{}]*"messageUuid":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? first?.[1] ?? null,
    workingDirectory:
      directory === undefined ? null : unquote(Buffer.from(directory, 'latin1').toString('utf8')),
  };
}

/** So many bytes of a file's beginning, or as many more as it takes to reach its first message's id. */
function readFirstMessage(path: string, least: number): Buffer {
  let head = readHead(path, least);
  for (
    let bytes = least;
    head.length === bytes && head.indexOf('"uuid":"') < 0;
    head = readHead(path, bytes)
  ) {
    if (bytes === LONGEST_HEAD_BYTES) break;
    bytes = Math.min(bytes * 16, LONGEST_HEAD_BYTES);
  }
  return head;
}

function lineAround(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end);
}

function unquote(json: string): string | null {
  try {
    return String(JSON.parse(json));
  } catch {
    // A broken escape makes the line unreadable; reading the file counts it.
    return null;
  }
}

/**
 * Finds what a transcript copied from its parent. Newer versions mark copied lines (`requestSessionId`, `forkedFrom`); older
 * ones copy lines as they are, so that a sibling with the same first messages is the only sign.
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
 * The last marked line names the parent: in a chain A, B, C the lines of C carry A or B. A fork begins with what it copied, so
 * a first answer without a mark ends the search. Up to 100 kB of attachments and API requests can stand before it.
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

/** The session that a copied line names. */
function originOf(line: Buffer): string | null {
  const isMarked = line.includes('"requestSessionId"') || line.includes('"forkedFrom"');
  return isMarked ? (ORIGIN.exec(line.toString('utf8'))?.[1] ?? null) : null;
}

const ORIGIN = /"(?:requestSessionId|forkedFrom":\{"sessionId)":"([^"]+)"/;

/** Whether the model answered in this line; API errors and subagents' lines carry no mark in a fork either. */
function isAnswer(line: Buffer): boolean {
  if (!line.includes('"assistant"')) return false;
  const value = parse(line);
  return (
    isRecord(value) &&
    value.type === 'assistant' &&
    value.isSidechain !== true &&
    value.isApiErrorMessage !== true
  );
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    // A corrupt line answers nothing.
    return null;
  }
}

/** Lines that the parent has too go on behind the last marked one: only answers are marked. */
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
 * Of two transcripts with the same first messages, the origin is the one that ends where the other goes on; when both
 * went on, the one that went on first. One with marks is a fork itself: it copied what both have from a third or from
 * this one.
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
    if (shared === 0 || other.some(({ isMarked }) => isMarked) || !isOriginOf(other, own, shared)) continue;
    const inheritedBytes = own[shared - 1]?.end ?? 0;
    if (best === null || inheritedBytes > best.inheritedBytes)
      best = { parentId: sibling.sessionId, inheritedBytes };
  }
  return best;
}

interface MessageId {
  uuid: string;
  time: string;
  /** Copied from another session, and says so. */
  isMarked: boolean;
  end: number;
}

function isOriginOf(other: MessageId[], own: MessageId[], shared: number): boolean {
  const ownIds = new Set(own.map(({ uuid }) => uuid));
  const otherNext = other.find(({ uuid }) => !ownIds.has(uuid));
  const ownNext = own[shared];
  if (otherNext === undefined) return ownNext !== undefined;
  return ownNext !== undefined && otherNext.time < ownNext.time;
}

function messageIds(path: string): MessageId[] {
  const ids: MessageId[] = [];
  readLines(path, 0, 0, (line, _number, offset) => {
    const edges =
      line.length < 4096
        ? line.toString('latin1')
        : line.toString('latin1', 0, 1024) + line.toString('latin1', line.length - 1024);
    const uuid = /"uuid":"([0-9a-f-]{36})"/.exec(edges)?.[1];
    const time = /"timestamp":"([^"]+)"/.exec(edges)?.[1] ?? '';
    if (uuid !== undefined) ids.push({ uuid, time, isMarked: ORIGIN.test(edges), end: offset + line.length });
    return true;
  });
  return ids;
}

function readHead(path: string, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  const file = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}
