import { basename, dirname, join } from 'node:path';
import { asId, asRecord, asText, asTime } from '../jsonl/read-value.ts';
import type { LinesFormat } from '../records/lines-format.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { partsOf, textOf } from '../records/text-of.ts';

/** The events of Copilot CLI's sessions. */
export const copilotFormat: LinesFormat = {
  agent: 'copilot',
  folders: (home) => [join(home, 'session-state')],
  idIn,
  about,
  tell,
  timestampOf: (row) => asTime(row.timestamp),
  commands: {
    resumeTarget: ({ sessionId }) => sessionId,
    resume: (sessionId) => ['copilot', `--resume=${sessionId}`],
    start: (prompt) => ['copilot', '-i', prompt],
    fileReference: (path) => `@${path}`,
    choosesIds: false,
    takesNames: false,
  },
  copyName: (sessionId) => `${sessionId}${COPY}`,
};

const COPY = '.copilot-events.jsonl';

/** A session has a folder of its own; older ones have a file. */
function idIn(path: string): string | null {
  const name = basename(path);
  if (name === 'events.jsonl') return asId(basename(dirname(path)));
  return asId(/^([\w-]{1,100})(?:\.copilot-events)?\.jsonl$/.exec(name)?.[1]);
}

function about(rows: Row[]): SessionAbout | null {
  const start = rows.find((row) => row.type === 'session.start');
  const data = asRecord(start?.data);
  const sessionId = asId(data?.sessionId);
  if (data === null || sessionId === null || data.producer === undefined) return null;
  const context = asRecord(data.context);
  return {
    sessionId,
    cwd: asText(context?.cwd),
    fingerprint: asText(rows.find((row) => row.type === 'user.message')?.id),
    parent: null,
    branch: asText(context?.branch),
    version: asText(data.copilotVersion),
  };
}

function tell(row: Row, sink: RecordSink): boolean {
  const data = asRecord(row.data);
  if (typeof row.type !== 'string' || data === null) return false;
  // A subagent's events have the call that started it.
  if (data.parentToolCallId !== undefined) return true;
  const uuid = asText(row.id);
  switch (row.type) {
    case 'user.message':
      sink.said({ role: 'user', text: textOf(data.content), uuid });
      break;
    case 'assistant.message':
      sink.thought?.(asText(data.reasoningText));
      sink.said({ role: 'assistant', text: textOf(data.content), uuid });
      for (const request of partsOf(data.toolRequests))
        sink.called({
          id: asText(request.toolCallId),
          tool: asText(request.name) ?? 'tool',
          input: request.arguments,
        });
      break;
    case 'tool.execution_complete': {
      const id = asText(data.toolCallId);
      const output = textOf(asRecord(data.result)?.content) || (asText(asRecord(data.error)?.message) ?? '');
      if (id !== null) sink.resulted({ id, output, failed: data.success === false, images: [] });
      break;
    }
    case 'session.model_change': {
      const model = asText(data.newModel);
      if (model !== null) sink.noted({ kind: 'context', model });
      break;
    }
    case 'session.compaction_complete':
      sink.compacted(asText(data.summaryContent));
      break;
  }
  return true;
}
