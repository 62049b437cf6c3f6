import { isRecord } from '../../../domain/is-record.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { ReadOptions, ReadResult, SkippedLine } from '../../../ports/transcript-source.ts';
import { objectsOfLine } from '../../jsonl/objects-of-line.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { type LineVisitor, readLines, upTo } from '../../jsonl/read-lines.ts';
import { createCommitCalls } from '../calls/commit-calls.ts';
import { emitLongResult } from '../calls/emit-result.ts';
import type { LineContext } from '../calls/line-context.ts';
import { emitTaken, firstPrompt } from './emit-prompts.ts';
import { createChain } from './find-rewound.ts';
import { isUnknownText } from './known-kinds.ts';
import { messageIds } from './message-ids.ts';
import { parseLine } from './parse-line.ts';
import { createQueuedPrompts, isTaken } from './queued-prompts.ts';
import { HEAD_BYTES, LIGHT_BYTES, sniffLine } from './sniff-line.ts';

/** See TranscriptSource.read. */
export function readTranscript(
  path: string,
  options: ReadOptions,
  onEvent: (event: TranscriptEvent, offset: number, line: number) => void,
): ReadResult {
  const skipped: SkippedLine[] = [];
  const calls = createCommitCalls(path, options.from);
  let known: Set<string> | null = null;
  const holds = (uuid: string) => {
    known ??= new Set(messageIds(path).map((message) => message.uuid));
    return known.has(uuid);
  };
  const chain = createChain(path, options.from);
  let firstOffset: number | null = null;
  const first = () => {
    firstOffset ??= firstPrompt(path) ?? Number.POSITIVE_INFINITY;
    return firstOffset;
  };
  const queued = createQueuedPrompts(path, options.from);
  const visit: LineVisitor = (bytes, number, offset, complete) => {
    const line = offset === 0 ? withoutMark(bytes) : bytes;
    const emit = (event: TranscriptEvent) => onEvent(event, offset, number);
    const context: LineContext = {
      inherited: offset < options.inheritedBytes,
      ofSubagent: options.ofSubagent === true,
      calls,
      holds,
      isFirst: () => offset <= first(),
      repeats: (text) => readBytes(path, 0, offset).includes(JSON.stringify(text.slice(0, 500)).slice(1, -1)),
      emit,
    };
    if (isBlank(line) || isComment(line)) return true;
    const kind = sniffLine(line);
    if (kind === 'queue' && isTaken(line)) queued.search();
    for (const prompt of queued.before(offset)) emitTaken(prompt, context);
    if (kind === 'ignored' || kind === 'queue')
      return complete || isWhole(objectsOfLine(line.toString('utf8')));
    const call = kind === 'tool result' && complete ? callOf(line) : undefined;
    if (call !== undefined && (call === null || !calls.includes(call))) {
      emitLightResult(line, call, context);
      return true;
    }
    const objects = objectsOfLine(line.toString('utf8'));
    if (!complete && !isWhole(objects)) return false;
    for (const object of objects) {
      const rewound = isRecord(object) ? chain.add(object, offset) : null;
      if (rewound !== null) emit({ kind: 'rewound', messages: rewound });
      if (object === undefined) skipped.push({ line: number, reason: 'not JSON' });
      else if (!isRecord(object)) skipped.push({ line: number, reason: 'not an object' });
      else if (!parseLine(object, context)) skipped.push({ line: number, reason: 'no such shape' });
      else if (isUnknownText(object)) skipped.push({ line: number, reason: 'unknown kind' });
    }
    return true;
  };
  const { end, lines } = readLines(path, options.from, options.linesBefore, upTo(options, visit));
  return { end, lines: lines - options.linesBefore, skipped };
}

function isWhole(objects: unknown[]): boolean {
  return !objects.includes(undefined);
}

/** Some editors insert a byte order mark before the first line. */
function withoutMark(line: Buffer): Buffer {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

function isBlank(line: Buffer): boolean {
  return line.length === 0 || (line.length < 8 && line.toString('latin1').trim() === '');
}

/** Some users add `//` comments to transcripts. They do not count as corrupt lines. */
function isComment(line: Buffer): boolean {
  return line[0] === 0x2f && line[1] === 0x2f;
}

/** Emits the relevant parts of a long tool result. Results of calls that commit are parsed, because hooks may print much before the report. */
function emitLightResult(line: Buffer, call: string | null, context: LineContext): void {
  const tail = line.toString('latin1', Math.max(0, line.length - HEAD_BYTES));
  const end = tail.slice(Math.max(0, tail.lastIndexOf('"timestamp":"')));
  const time = /^"timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"[^{}]*\}$/.exec(end)?.[1];
  if (time !== undefined) context.emit({ kind: 'context', timestamp: time });
  const head = line.toString('utf8', 0, LIGHT_BYTES);
  if (call !== null && !head.includes('"isSidechain":true')) {
    emitLongResult(call, line.toString('utf8', Math.max(0, line.length - 2 * HEAD_BYTES)), context);
  }
}

/** Some versions write the call's id after the text. */
function callOf(line: Buffer): string | null {
  const at = line.indexOf('"tool_use_id":"');
  return at < 0
    ? null
    : (/^"tool_use_id":"([^"\\]+)"/.exec(line.toString('latin1', at, at + 200))?.[1] ?? null);
}
