import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { ReadOptions, ReadResult, SkippedLine } from '../../../ports/transcript-source.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { createCommitCalls } from './commit-calls.ts';
import { type LineContext, parseLine, tellCommits } from './parse-line.ts';
import { isRecord } from './read-value.ts';

type Emit = (event: TranscriptEvent) => void;

/** Tool results longer than this are not parsed: nine tenths of a transcript's bytes are in them, and nothing to index. */
const LIGHT_BYTES = 4096;
const HEAD_BYTES = 1024;

/** Reads a Claude Code transcript from a line on; a corrupt line costs that line. */
export function readTranscript(
  path: string,
  options: ReadOptions,
  onEvent: (event: TranscriptEvent, offset: number) => void,
): ReadResult {
  const skipped: SkippedLine[] = [];
  const calls = createCommitCalls(path, options.from);
  const { end, lines } = readLines(
    path,
    options.from,
    options.linesBefore,
    (bytes, number, offset, complete) => {
      const line = offset === 0 ? withoutMark(bytes) : bytes;
      const context: LineContext = { inherited: offset < options.inheritedBytes, calls };
      const emit: Emit = (event) => onEvent(event, offset);
      if (isBlank(line) || isComment(line)) return true;
      const kind = sniff(line);
      if (kind === 'ignored') return true;
      if (kind === 'tool result' && complete) {
        emitLightResult(line, context, emit);
        return true;
      }
      const objects = parseObjects(line.toString('utf8'));
      if (objects === null) {
        if (complete) skipped.push({ line: number, reason: 'not JSON' });
        return complete;
      }
      for (const object of objects) {
        if (!isRecord(object)) skipped.push({ line: number, reason: 'not an object' });
        else if (!parseLine(object, context, emit)) skipped.push({ line: number, reason: 'no such shape' });
      }
      return true;
    },
  );
  return { end, lines: lines - options.linesBefore, skipped };
}

/** Editors put a byte order mark before the first line. */
function withoutMark(line: Buffer): Buffer {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length < 8 && line.toString('latin1').trim() === '');
}

/** People write `//` notes into transcripts; they are no corruption. */
function isComment(line: Buffer): boolean {
  return line[0] === 0x2f && line[1] === 0x2f;
}

/**
 * Tells from a line's beginning what need not be parsed. Only a type that stands at the top level counts: between the
 * line's first brace and it there is no other brace and no bracket. What is not recognised is parsed.
 */
function sniff(line: Buffer): 'ignored' | 'tool result' | 'parse' {
  const head = line.toString('latin1', 0, Math.min(line.length, HEAD_BYTES));
  const top = /^\{[^{}[\]]*?"type":"([a-z-]+)"/.exec(head);
  if (top === null || line.includes('}{"')) return 'parse';
  switch (top[1]) {
    case 'progress':
    case 'file-history-snapshot':
    case 'file-history-delta':
      return 'ignored';
    case 'attachment':
      return line.includes('"queued_command"') ? 'parse' : 'ignored';
    case 'user':
      return isLightResult(line, head) ? 'tool result' : 'parse';
    default:
      return top[1]?.startsWith('api-request') ? 'ignored' : 'parse';
  }
}

function isLightResult(line: Buffer, head: string): boolean {
  if (line.length < LIGHT_BYTES) return false;
  const opens =
    /"message":\{"role":"user","content":\[\{(?:"tool_use_id":"[^"]*",)?"type":"tool_result"/.test(head);
  return opens && !line.includes('"type":"text"');
}

/** Of a long tool result only its time and, near its beginning, the report of a `git commit` matter. */
function emitLightResult(line: Buffer, context: LineContext, emit: Emit): void {
  const tail = line.toString('latin1', Math.max(0, line.length - HEAD_BYTES));
  const time = /"timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"[^{}]*\}$/.exec(tail)?.[1];
  if (time !== undefined) emit({ kind: 'context', timestamp: time });
  const head = line.toString('utf8', 0, LIGHT_BYTES);
  const output = /"content":"((?:[^"\\]|\\.)*)/.exec(head)?.[1];
  if (output === undefined || !/\[[^\]]* [0-9a-f]{7,40}\] /.test(output)) return;
  const plain = parse(`"${output.replace(/\\u[0-9a-fA-F]{0,3}$/, '')}"`);
  if (typeof plain !== 'string') return;
  tellCommits(plain, /"tool_use_id":"([^"\\]+)"/.exec(head)?.[1] ?? '', context, emit);
}

/** The objects of a line; interrupted writers leave two on one. Null when it is not JSON. */
function parseObjects(line: string): unknown[] | null {
  const whole = parse(line);
  if (whole !== undefined) return [whole];
  const objects: unknown[] = [];
  for (const part of splitObjects(line)) {
    const value = parse(part);
    if (value === undefined) return null;
    objects.push(value);
  }
  return objects.length > 1 ? objects : null;
}

/** Cuts behind each brace that closes an object which stands in no other. */
function splitObjects(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '\\' && quoted) at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (sign === '{' && !quoted) depth += 1;
    else if (sign === '}' && !quoted) {
      depth -= 1;
      if (depth > 0) continue;
      parts.push(line.slice(start, at + 1));
      start = at + 1;
    }
  }
  const rest = line.slice(start).trim();
  return rest === '' ? parts : [...parts, rest];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The caller counts the line as one that is not JSON.
    return undefined;
  }
}
