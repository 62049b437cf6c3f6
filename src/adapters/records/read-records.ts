import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { TranscriptStep } from '../../domain/session/transcript-step.ts';
import type { ReadOptions, ReadResult, SkippedLine, StepRange } from '../../ports/transcript-source.ts';
import { objectsOfLine, recordsOfLine } from '../jsonl/objects-of-line.ts';
import { readLines, upTo } from '../jsonl/read-lines.ts';
import { asRecord, parseJson } from '../jsonl/read-value.ts';
import { aboutFile } from './about-file.ts';
import { createDialogCalls, type DialogCall, dialogOf } from './emit-dialogs.ts';
import { emitAbout, eventSink } from './emit-events.ts';
import { stepSink } from './emit-steps.ts';
import { createBranches } from './find-abandoned.ts';
import { holdsUnknown } from './holds-unknown.ts';
import type { LinesFormat } from './lines-format.ts';
import type { RecordSink } from './record-sink.ts';
import type { Row } from './row-format.ts';

/** See TranscriptSource.read. Each record depends on no other but the first ones, and its branch, so a read can begin anywhere. */
export function readRecords(
  format: LinesFormat,
  path: string,
  options: ReadOptions,
  onEvent: (event: TranscriptEvent, offset: number, line: number) => void,
): ReadResult {
  const about = aboutFile(format, path);
  const skipped: SkippedLine[] = [];
  const title = format.titleBeside?.(path);
  if (title) onEvent({ kind: 'title', ...title }, 0, 1);
  const dialogs = createDialogCalls((id) => dialogBefore(format, path, id, options.from));
  const branches = createBranches(format, path, options.from);
  let left = null as { offset: number; line: number } | null;
  const { end, lines } = readLines(
    path,
    options.from,
    options.linesBefore,
    upTo(options, (bytes, number, offset, complete) => {
      const text = bytes.toString('utf8');
      if (text.trim() === '') return true;
      const values = objectsOfLine(text);
      if (!complete && values.includes(undefined)) return false;
      if (offset === 0) emitAbout(about, (event) => onEvent(event, 0, number));
      for (const value of values) {
        const row = asRecord(value);
        if (row === null) {
          skipped.push({ line: number, reason: value === undefined ? 'not JSON' : 'not an object' });
          continue;
        }
        if (branches.leaves(row)) left = { offset, line: number };
        const timestamp = format.timestampOf(row);
        const place = { cwd: about?.cwd ?? null, timestamp, inherited: offset < options.inheritedBytes };
        const sink = eventSink(place, dialogs, (event) => onEvent(event, offset, number));
        if (!format.tell(row, sink)) skipped.push({ line: number, reason: 'no such shape' });
        else if (holdsUnknown(format, row)) skipped.push({ line: number, reason: 'unknown kind' });
      }
      return true;
    }),
  );
  // Each of these events replaces the one before: a list for each branch would take time with the square of their number.
  if (left !== null) onEvent({ kind: 'rewound', messages: branches.abandoned() }, left.offset, left.line);
  return { end, lines: lines - options.linesBefore, skipped };
}

/** The call with an id that shows a dialog, among the records before an offset; null if there is none. */
function dialogBefore(format: LinesFormat, path: string, wanted: string, before: number): DialogCall | null {
  let found: DialogCall | null = null;
  const ignore = () => undefined;
  const sink: RecordSink = {
    said: ignore,
    called({ id, tool, input }) {
      if (id === wanted) found = dialogOf(tool, input);
    },
    resulted: ignore,
    compacted: ignore,
    noted: ignore,
  };
  readLines(path, 0, 0, (bytes, _number, offset) => {
    if (offset >= before) return false;
    if (bytes.includes(wanted)) for (const row of recordsOfLine(bytes)) format.tell(row, sink);
    return found === null;
  });
  return found;
}

/** See TranscriptSource.readSteps. */
export function readRecordSteps(
  format: LinesFormat,
  path: string,
  { from, to }: StepRange,
  onStep: (step: TranscriptStep, offset: number) => void,
): void {
  const cwd = aboutFile(format, path)?.cwd ?? null;
  readLines(path, from, 0, (bytes, _number, offset) => {
    if (offset >= to) return false;
    for (const row of recordsOfLine(bytes))
      format.tell(
        row,
        stepSink(cwd, (step) => onStep(step, offset)),
      );
    return true;
  });
}

/** Where the copied records end: at the first that was written after the fork began. Its own first record is the fork's. */
export function endOfCopy(format: LinesFormat, path: string, since: string): number {
  let own: number | null = null;
  const { end } = readLines(path, 0, 0, (bytes, number, offset, complete) => {
    const row = number === 1 ? null : asRecord(parseJson(bytes.toString('utf8')));
    const time = row === null ? null : format.timestampOf(row);
    if (row !== null && time !== null && time >= since && format.isCopied?.(row) !== true) own = offset;
    return complete && own === null;
  });
  return own ?? end;
}

/** The records that begin from a byte offset on and before `to`, and where they end. A last one without a newline counts if it is complete. */
export function rowsFrom(
  path: string,
  from: number,
  to = Number.POSITIVE_INFINITY,
): { rows: Row[]; end: number } {
  const rows: Row[] = [];
  const { end } = readLines(path, from, 0, (line, _number, offset, complete) => {
    if (offset >= to) return false;
    const found = recordsOfLine(line);
    rows.push(...found);
    return complete || found.length > 0;
  });
  return { rows, end };
}
