import { ranTests, testsPassed } from '../../domain/session/test-runs.ts';
import { isNothing, type RequestUsage } from '../../domain/usage/usage.ts';
import type { ContextSize, Ending } from '../../ports/transcript-source.ts';
import type { UsagePosition } from '../../ports/usage/usage-records.ts';
import { readLines } from '../jsonl/read-lines.ts';
import { asRecord, parseJson } from '../jsonl/read-value.ts';
import { aboutFile } from './about-file.ts';
import type { LinesFormat, Row } from './lines-format.ts';
import type { RecordSink } from './record-sink.ts';
import { toolCallOf } from './tool-call.ts';

/** See TranscriptUsage.read. Each record has its own request's numbers. */
export function readUsage(
  format: LinesFormat,
  path: string,
  from: UsagePosition | null,
  onRequest: (request: RequestUsage) => void,
): UsagePosition {
  const since = aboutFile(format, path)?.parent?.since ?? null;
  const { end } = readLines(path, from?.offset ?? 0, 0, (line, _number, _offset, complete) => {
    const row = asRecord(parseJson(line.toString('utf8')));
    const used = row === null ? null : (format.usageOf?.(row) ?? null);
    const time = row === null ? null : format.timestampOf(row);
    if (used !== null && time !== null && !isNothing(used.tokens))
      onRequest({
        id: used.id,
        at: Date.parse(time),
        model: used.model,
        copied: since !== null && time < since,
        ...used.tokens,
      });
    return complete || row !== null;
  });
  return { offset: end, state: '' };
}

export function readContextSize(format: LinesFormat, path: string): ContextSize | null {
  let size: ContextSize | null = null;
  eachRow(path, (row) => {
    const after = format.contextAfter?.(row);
    if (after !== undefined) size = after;
  });
  return size;
}

/** Whether the agent answered last, and whether the last test run passed. */
export function readEnding(format: LinesFormat, path: string): Ending {
  const ending: Ending = { answered: null, tests: null };
  const running = new Set<string | null>();
  const sink: RecordSink = {
    said({ role }) {
      ending.answered = role === 'assistant';
    },
    called({ id, tool, input }) {
      const { name, argument } = toolCallOf(tool, input);
      if (name === 'Bash' && ranTests(argument)) running.add(id);
    },
    resulted({ id, output, failed }) {
      if (running.delete(id)) ending.tests = testsPassed(output, failed) ? 'passed' : 'failed';
    },
    compacted: () => undefined,
    noted: () => undefined,
  };
  eachRow(path, (row) => format.tell(row, sink));
  return ending;
}

function eachRow(path: string, visit: (row: Row) => void): void {
  readLines(path, 0, 0, (line) => {
    const row = asRecord(parseJson(line.toString('utf8')));
    if (row !== null) visit(row);
    return true;
  });
}
