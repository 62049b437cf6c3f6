import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { TranscriptStep } from '../../domain/session/transcript-step.ts';
import type { ReadOptions, ReadResult, SkippedLine, StepRange } from '../../ports/transcript-source.ts';
import type { DocumentFormat, SessionDocument } from './document-format.ts';
import { createDialogCalls } from './emit-dialogs.ts';
import { emitAbout, eventSink } from './emit-events.ts';
import { stepSink } from './emit-steps.ts';
import { holdsUnknown } from './holds-unknown.ts';

/** See TranscriptSource.read. A position is a number of records. */
export function readDocument(
  format: DocumentFormat,
  path: string,
  { from, linesBefore, inheritedBytes, isEnough }: ReadOptions,
  onEvent: (event: TranscriptEvent, offset: number, line: number) => void,
): ReadResult {
  const document = format.load(path);
  const { about, rows, unread } = document;
  const skipped: SkippedLine[] = from === 0 ? [...unread] : [];
  if (about.title) onEvent({ kind: 'title', ...about.title }, 0, linesBefore);
  const dialogs = createDialogCalls();
  let end = from;
  const ignored = eventSink({ cwd: about.cwd, timestamp: null, inherited: true }, dialogs, () => undefined);
  for (const row of rows.slice(0, from)) format.tell(row, ignored);
  for (const row of rows.slice(from)) {
    const line = linesBefore + end - from + 1;
    const emit = (event: TranscriptEvent) => onEvent(event, end, line);
    if (end === 0) emitAbout(about, emit);
    const place = { cwd: about.cwd, timestamp: format.timestampOf(row), inherited: end < inheritedBytes };
    if (!format.tell(row, eventSink(place, dialogs, emit))) skipped.push({ line, reason: 'no such shape' });
    else if (holdsUnknown(format, row)) skipped.push({ line, reason: 'unknown kind' });
    end += 1;
    if (isEnough?.()) break;
  }
  const { rewound } = document;
  if (rewound !== undefined && rewound.size > 0 && end === rows.length)
    onEvent({ kind: 'rewound', messages: [...rewound] }, end - 1, linesBefore + end - from);
  return { end, bytes: bytesBefore(format, path, document, end), lines: end - from, skipped };
}

function bytesBefore(
  format: DocumentFormat,
  path: string,
  { rows, lines }: SessionDocument,
  end: number,
): number {
  if (lines !== undefined) return lines(end).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  const size = end === rows.length ? format.inspect(path)?.size : undefined;
  return size ?? end;
}

/** See TranscriptSource.readSteps. */
export function readDocumentSteps(
  format: DocumentFormat,
  path: string,
  { from, to }: StepRange,
  onStep: (step: TranscriptStep, offset: number) => void,
): void {
  const { about, rows } = format.load(path);
  for (const [at, row] of rows.entries())
    if (at >= from && at < to)
      format.tell(
        row,
        stepSink(about.cwd, (step) => onStep(step, at)),
      );
}
