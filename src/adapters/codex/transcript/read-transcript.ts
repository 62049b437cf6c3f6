import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import type { ReadOptions, ReadResult, SkippedLine } from '../../../ports/transcript-source.ts';
import type { LineVisitor } from '../../jsonl/read-lines.ts';
import { type CodexHead, readHead } from '../place/read-head.ts';
import type { LineContext } from './calls.ts';
import { tellLegacyEvent, tellLegacyItem } from './legacy-line.ts';
import { readLines } from './lines.ts';
import { tellPaginatedEvent } from './paginated-line.ts';
import { mayReportCommit, readPrefix, routeLine } from './parse-line.ts';
import { asNumber, asRecord, asText, asTime, parseJson } from './read-value.ts';

export interface ReadRequest extends ReadOptions {
  /** The session's name, which lies beside the transcript. */
  name: string | null;
  /** Numbered lines from this ordinal on are left out. */
  endOrdinal?: number;
}

/**
 * See TranscriptSource.read. Each line is read by itself, with the first line's help: it does not matter where a
 * read begins.
 */
export function readTranscript(
  path: string,
  request: ReadRequest,
  onEvent: (event: TranscriptEvent, offset: number) => void,
): ReadResult {
  const head = readHead(path);
  const skipped: SkippedLine[] = [];
  if (request.name !== null) onEvent({ kind: 'title', source: 'custom', text: request.name }, 0);
  const visit: LineVisitor = (line, number, offset, complete) => {
    if (!complete && asRecord(parseJson(line.toString('utf8'))) === null) return false;
    if (offset === 0 && head !== null) {
      tellHead(head, (event) => onEvent(event, 0));
      return true;
    }
    const emit = (event: TranscriptEvent) => onEvent(event, offset);
    const inherited = offset < request.inheritedBytes;
    const context = { cwd: head?.cwd ?? null, timestamp: null, inherited, emit };
    const reason = tellLine(line, context, request.endOrdinal ?? Number.POSITIVE_INFINITY);
    if (reason !== null) skipped.push({ line: number, reason });
    return true;
  };
  const { end, lines } = readLines(path, request.from, request.linesBefore, visit);
  return { end, lines: lines - request.linesBefore, skipped };
}

function tellHead(head: CodexHead, emit: (event: TranscriptEvent) => void): void {
  if (head.parentId !== null) emit({ kind: 'parent', sessionId: head.parentId });
  emit({
    kind: 'context',
    ...(head.cwd === null ? {} : { cwd: head.cwd }),
    ...(head.branch === null ? {} : { branch: head.branch }),
    ...(head.remote === null ? {} : { remote: head.remote }),
    ...(head.version === null ? {} : { version: head.version }),
    ...(head.timestamp === null ? {} : { timestamp: head.timestamp }),
  });
}

/** Tells a line's events; the reason when it could not be read. */
function tellLine(line: Buffer, context: LineContext, endOrdinal: number): SkippedLine['reason'] | null {
  const prefix = readPrefix(line);
  if (prefix !== null) {
    if (prefix.ordinal !== null && prefix.ordinal >= endOrdinal) return null;
    const route = routeLine(prefix);
    if ((route === 'skip' || (route === 'output' && !mayReportCommit(line))) && isClosed(line)) return null;
  }
  const text = line.toString('utf8');
  if (text.trim() === '') return null;
  const value = parseJson(text);
  if (value === undefined) return 'not JSON';
  const object = asRecord(value);
  if (object === null) return 'not an object';
  return tellObject(object, context, endOrdinal) ? null : 'no such shape';
}

/** Whether a line ends as an object does: one that was cut short is parsed, so that it is noticed. */
function isClosed(line: Buffer): boolean {
  const last = line[line.length - 1];
  return last === CLOSING_BRACE || (last === CARRIAGE_RETURN && line[line.length - 2] === CLOSING_BRACE);
}

function tellObject(object: Record<string, unknown>, context: LineContext, endOrdinal: number): boolean {
  const ordinal = asNumber(object.ordinal);
  const payload = asRecord(object.payload);
  const told = { ...context, timestamp: asTime(object.timestamp) };
  if (ordinal !== null && ordinal >= endOrdinal) return true;
  switch (object.type) {
    case 'event_msg':
      if (payload === null) return false;
      return ordinal === null ? tellLegacyEvent(payload, told) : tellPaginatedEvent(payload, told);
    case 'response_item':
      if (payload === null) return false;
      return ordinal !== null || tellLegacyItem(payload, told);
    case 'turn_context':
      if (payload === null) return false;
      tellTurn(payload, told);
      return true;
    case 'compacted':
      if (!told.inherited) {
        const summary = asText(payload?.message)?.trim() || null;
        told.emit({ kind: 'compaction', timestamp: told.timestamp, summary });
      }
      return true;
    default:
      return typeof object.type === 'string';
  }
}

/** A turn that was copied from a parent says where the parent was working. */
function tellTurn(payload: Record<string, unknown>, { inherited, timestamp, emit }: LineContext): void {
  const cwd = asText(payload.cwd);
  const model = asText(payload.model);
  if (inherited || (cwd === null && model === null)) return;
  emit({
    kind: 'context',
    ...(cwd === null ? {} : { cwd }),
    ...(model === null ? {} : { model }),
    ...(timestamp === null ? {} : { timestamp }),
  });
}

const CLOSING_BRACE = 0x7d;
const CARRIAGE_RETURN = 0x0d;
