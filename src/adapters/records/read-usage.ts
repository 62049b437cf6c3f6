import { ranTests, testsPassed } from '../../domain/session/test-runs.ts';
import { type RequestUsage, totalOf } from '../../domain/usage/usage.ts';
import type { ContextSize, Ending } from '../../ports/transcript-source.ts';
import type { RecordSink } from './record-sink.ts';
import type { Row, RowFormat } from './row-format.ts';
import { toolCallOf } from './tool-call.ts';

/** See TranscriptUsage.read. Each record has its own request's numbers. `since`: when the fork began, if it is one. */
export function usageIn(
  format: RowFormat,
  rows: Iterable<Row>,
  since: string | null,
  onRequest: (request: RequestUsage) => void,
): void {
  for (const row of rows) {
    const used = format.usageOf?.(row) ?? null;
    const time = format.timestampOf(row);
    if (used === null || time === null || totalOf(used.tokens) === 0) continue;
    const copied = (since !== null && time < since) || format.isCopied?.(row) === true;
    onRequest({ id: used.id, at: Date.parse(time), model: used.model, copied, ...used.tokens });
  }
}

export function contextSizeOf(format: RowFormat, rows: Iterable<Row>): ContextSize | null {
  let size: ContextSize | null = null;
  for (const row of rows) {
    const after = format.contextAfter?.(row);
    if (after !== undefined) size = after;
  }
  return size;
}

/** Whether the agent answered last, and whether the last test run passed. */
export function endingOf(format: RowFormat, rows: Iterable<Row>): Ending {
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
  for (const row of rows) format.tell(row, sink);
  return ending;
}
