import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import { errorText } from '../../domain/errors.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { OnProblem, PromptHistory, TranscriptFile } from '../../ports/transcript-source.ts';
import { openFile } from '../jsonl/open-file.ts';
import { readLines } from '../jsonl/read-lines.ts';
import { digestBuffer } from '../jsonl/read-parts.ts';

/** A prompt in a line of `history.jsonl`. */
export interface HistoryEntry {
  sessionId: string;
  timeMs: number;
  /** The folder in which it was typed; empty if the agent does not record it. */
  project: string;
  text: string;
}

export interface HistoryFormat {
  agent: Agent;
  /** The prompt in a line; null if the line is corrupt, or names no session. */
  readEntry(line: string): HistoryEntry | null;
  /** Whether the text is only a command of the agent's own program. */
  isCommand(text: string): boolean;
}

/** Where a session's lines are in history.jsonl. */
interface Lines {
  spans: { start: number; end: number }[];
  bytes: number;
  lastMs: number;
}

interface Contents {
  stamp: string;
  inode: number;
  sessions: Map<string, Lines>;
}

/**
 * The prompts in `history.jsonl`, which agents keep when they delete a transcript. A session's lines, taken together, are read like a
 * transcript with the path `…/history.jsonl#<session id>`.
 */
export function createPromptHistory(homes: string[], format: HistoryFormat): PromptHistory {
  const known = new Map<string, Contents>();
  const contentsOf = (path: string) => {
    const { size, mtimeMs, ino } = statSync(path);
    const stamp = `${ino}-${size}-${mtimeMs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before;
    const contents = { stamp, inode: ino, sessions: readSessions(path, format) };
    known.set(path, contents);
    return contents;
  };
  const bytesOf = (virtual: string) => {
    const { path, sessionId } = partsOf(virtual);
    return readSpans(path, contentsOf(path).sessions.get(sessionId)?.spans ?? []);
  };
  return {
    find: (isKnown, onProblem) =>
      homes.flatMap((home) =>
        findIn(join(home, 'history.jsonl'), contentsOf, isKnown, onProblem).map((file) => ({
          ...file,
          agent: format.agent,
        })),
      ),
    read(path, { from, linesBefore, isEnough }, onEvent) {
      let at = 0;
      let lines = 0;
      for (const line of linesOf(bytesOf(path))) {
        const offset = at;
        at += line.length;
        if (offset < from) continue;
        lines += 1;
        const entry = format.readEntry(line.toString('utf8'));
        const number = linesBefore + lines;
        if (entry !== null) emitPrompt(entry, format, (event) => onEvent(event, offset, number));
        if (isEnough?.()) break;
      }
      return { end: at, lines, skipped: [] };
    },
    digest: (path, bytes) => digestBuffer(bytesOf(path).subarray(0, bytes)),
  };
}

/** Emits a prompt like a transcript's reader. Commands of the agent (`/clear`) are not the user's words. */
function emitPrompt(
  { timeMs, project, text }: HistoryEntry,
  { isCommand }: HistoryFormat,
  onEvent: (event: TranscriptEvent) => void,
): void {
  const timestamp = new Date(timeMs).toISOString();
  onEvent({ kind: 'context', timestamp, cwd: project !== '' ? project : undefined });
  if (OWN_SKILL.test(text)) onEvent({ kind: 'own', by: 'user', answers: true });
  else if (text.trim() !== '' && !isCommand(text))
    onEvent({ kind: 'message', role: 'user', text, timestamp, uuid: null, inherited: false });
}

const OWN_SKILL =
  /^[/$](?:smart-fork:|(?:fork-detect|fork-session|smart-fork|session-stats|remember|memory-(?:stats|topics|backfill))\b)/;

function findIn(
  path: string,
  contentsOf: (path: string) => Contents,
  isKnown: (sessionId: string) => boolean,
  onProblem?: OnProblem,
): Omit<TranscriptFile, 'agent'>[] {
  let contents: Contents;
  try {
    contents = contentsOf(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      onProblem?.(path, errorText(error));
    return [];
  }
  const { inode, sessions } = contents;
  return [...sessions]
    .filter(([sessionId]) => !isKnown(sessionId))
    .map(([sessionId, { bytes, lastMs }]) => ({
      path: `${path}#${sessionId}`,
      sessionId,
      size: bytes,
      mtimeMs: lastMs,
      inode,
      onlyPrompts: true,
    }));
}

function readSessions(path: string, { readEntry }: HistoryFormat): Map<string, Lines> {
  const sessions = new Map<string, Lines>();
  readLines(path, 0, 0, (line, _, offset, complete) => {
    const entry = complete ? readEntry(line.toString('utf8')) : null;
    if (entry === null) return true;
    const found = sessions.get(entry.sessionId) ?? { spans: [], bytes: 0, lastMs: 0 };
    const span = { start: offset, end: offset + line.length + 1 };
    found.spans.push(span);
    found.bytes += span.end - span.start;
    found.lastMs = Math.max(found.lastMs, entry.timeMs);
    sessions.set(entry.sessionId, found);
    return true;
  });
  return sessions;
}

function readSpans(path: string, spans: { start: number; end: number }[]): Buffer {
  const file = openFile(path);
  try {
    return Buffer.concat(
      spans.map(({ start, end }) => {
        const bytes = Buffer.alloc(end - start);
        return bytes.subarray(0, file.read(bytes, start));
      }),
    );
  } finally {
    file.close();
  }
}

function* linesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; ) {
    const newline = content.indexOf(10, at);
    const end = newline < 0 ? content.length : newline + 1;
    yield content.subarray(at, end);
    at = end;
  }
}

function partsOf(virtual: string): { path: string; sessionId: string } {
  const at = virtual.lastIndexOf('#');
  return { path: virtual.slice(0, at), sessionId: virtual.slice(at + 1) };
}
