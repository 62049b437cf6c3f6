import { asText } from '../jsonl/read-value.ts';
import type { DocumentFormat } from '../records/document-format.ts';
import { findIn, foldersIn, inspectIn, type TaskAgent } from './find-sessions.ts';
import { loadSession } from './load-session.ts';
import { tellMessage, unknownInMessage, usageOfMessage } from './tell-message.ts';
import { isShownKind, tellShown, usageOfShown } from './tell-shown.ts';

/**
 * Two kinds of files: a task's `ui_messages.json`, what the extension's window shows (Cline before 4, Roo Code), and a session's
 * `<session>.messages.json`, what the model gets (Cline's program, and its extension since 4). Both are rewritten as a whole.
 */
export function taskFormat(agent: TaskAgent): DocumentFormat {
  return {
    agent,
    folders: (home) => foldersIn(agent, home),
    find: (home, onProblem) => findIn(agent, home, onProblem),
    inspect: (path) => inspectIn(agent, path),
    load: loadSession,
    tell: (row, sink) => (row.role === undefined ? tellShown(row, sink) : tellMessage(row, sink)),
    unknownIn: (row) => (row.role !== undefined ? unknownInMessage(row) : isShownKind(row) ? [] : [row]),
    timestampOf: (row) => asText(row.time),
    usageOf: (row) => (row.role === undefined ? usageOfShown(row) : usageOfMessage(row)),
    copyName: (sessionId) => `${sessionId}.${agent}-session.json`,
  };
}
