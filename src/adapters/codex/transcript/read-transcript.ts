import { isRecord } from '../../../domain/is-record.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { ReadOptions, ReadResult, SkippedLine } from '../../../ports/transcript-source.ts';
import { objectsOfLine } from '../../jsonl/objects-of-line.ts';
import { type LineVisitor, upTo } from '../../jsonl/read-lines.ts';
import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import type { LineContext } from '../calls/emit-call.ts';
import { emitShortResult } from '../calls/emit-result.ts';
import { type Rollouts, readLines } from '../files/read-file.ts';
import { asItem, findFirstEvent } from './bare-lines.ts';
import { revertedBefore } from './find-reverted.ts';
import { isKnownKind, isUnknownText } from './known-kinds.ts';
import { parseLine } from './parse-line.ts';
import { readMeta, type SessionMeta } from './read-head.ts';
import { mayReportCommit, readPrefix, routeLine } from './sniff-line.ts';

interface ReadRequest extends ReadOptions {
  /** The session's present name, by Codex's list of names. A transcript of another machine may have only the names it was given. */
  name: string | null;
  /** Numbered lines from this ordinal on are skipped. */
  endOrdinal?: number;
}

/** See TranscriptSource.read. Each line depends on no other line but the first, so a read can begin anywhere. */
export function readTranscript(
  files: Rollouts,
  request: ReadRequest,
  onEvent: (event: TranscriptEvent, offset: number, line: number) => void,
): ReadResult {
  const meta = readMeta(files);
  const firstEvent = findFirstEvent(files);
  const findQuestions = questionFinder(files);
  const skipped: SkippedLine[] = [];
  if (request.name !== null) onEvent({ kind: 'title', source: 'custom', text: request.name }, 0, 1);
  const visit: LineVisitor = (line, number, offset, complete) => {
    if (!complete && asRecord(parseJson(line.toString('utf8'))) === null) return false;
    if (offset === 0 && meta !== null) {
      emitMeta(meta, (event) => onEvent(event, 0, number));
      return true;
    }
    const emit = (event: TranscriptEvent) => {
      if (event.kind !== 'title' || request.name === null) onEvent(event, offset, number);
    };
    const reverted = revertedBefore(files, line, offset) ?? [];
    if (reverted.length > 0) emit({ kind: 'rewound', messages: reverted });
    const inherited = offset < request.inheritedBytes;
    const isBare = offset < firstEvent;
    const questionsOf = (call: string) => findQuestions(call, offset);
    const context = { cwd: meta?.cwd ?? null, timestamp: null, inherited, isBare, questionsOf, emit };
    for (const reason of readLine(line, context, request.endOrdinal ?? Number.POSITIVE_INFINITY))
      skipped.push({ line: number, reason });
    return true;
  };
  const { end, lines } = readLines(files, request.from, request.linesBefore, upTo(request, visit));
  return { end, lines: lines - request.linesBefore, skipped };
}

/** Finds the questions of a call before an offset. Answers to dialogs are few, so that the file is read again for them, each part once. */
function questionFinder(files: Rollouts) {
  const known = new Map<string, Record<string, unknown>[]>();
  let searched = 0;
  return (call: string, before: number): Record<string, unknown>[] => {
    readLines(files, searched, 0, (line, _number, offset) => {
      if (offset >= before) return false;
      const isAsked = line.includes(ASKED);
      const value = isAsked ? asRecord(parseJson(line.toString('utf8'))) : null;
      const { call_id: id, arguments: given } = asRecord(asItem(value ?? {}).payload) ?? {};
      if (typeof id === 'string')
        known.set(id, asList(asRecord(parseJson(asText(given) ?? ''))?.questions).filter(isRecord));
      return true;
    });
    searched = Math.max(searched, before);
    return known.get(call) ?? [];
  };
}

const ASKED = Buffer.from('"request_user_input"');

function emitMeta(meta: SessionMeta, emit: (event: TranscriptEvent) => void): void {
  if (meta.parentId !== null) emit({ kind: 'parent', sessionId: meta.parentId });
  emit({
    kind: 'context',
    ...(meta.cwd === null ? {} : { cwd: meta.cwd }),
    ...(meta.branch === null ? {} : { branch: meta.branch }),
    ...(meta.remote === null ? {} : { remote: meta.remote }),
    ...(meta.version === null ? {} : { version: meta.version }),
    ...(meta.timestamp === null ? {} : { timestamp: meta.timestamp }),
  });
}

type Reason = SkippedLine['reason'];

/** Emits a line's events; returns why parts of it cannot be read. */
function readLine(line: Buffer, context: LineContext, endOrdinal: number): Reason[] {
  const prefix = isGlued(line) ? null : readPrefix(line);
  if (prefix !== null) {
    if (prefix.ordinal !== null && prefix.ordinal >= endOrdinal) return [];
    const route = routeLine(prefix, line);
    const isRead = context.isBare && prefix.payloadType === 'message';
    const isKnown = isKnownKind(prefix.type, prefix.payloadType);
    if (route === 'skip' && !isRead && isKnown && isClosed(line)) return [];
    if (route === 'output' && isClosed(line)) {
      const mayCommit = mayReportCommit(line);
      if (!mayCommit && emitShortResult(line, context)) return [];
    }
  }
  const text = line.toString('utf8');
  if (text.trim() === '') return [];
  return objectsOfLine(text).flatMap((value) => readObject(value, context, endOrdinal) ?? []);
}

function readObject(value: unknown, context: LineContext, endOrdinal: number): Reason | null {
  if (value === undefined) return 'not JSON';
  const object = asRecord(value);
  if (object === null) return 'not an object';
  if (!parseLine(object, context, endOrdinal)) return 'no such shape';
  return isUnknownText(asItem(object)) ? 'unknown kind' : null;
}

/** Whether a second record follows on the line, behind one that was not written to its end. */
function isGlued(line: Buffer): boolean {
  return line.indexOf(RECORD, 1) > 0;
}

const RECORD = Buffer.from('{"timestamp":"');

/** Whether a line ends like an object. A truncated line is parsed, so that it is counted as skipped. */
function isClosed(line: Buffer): boolean {
  const last = line[line.length - 1];
  return last === CLOSING_BRACE || (last === CARRIAGE_RETURN && line[line.length - 2] === CLOSING_BRACE);
}

const CLOSING_BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
