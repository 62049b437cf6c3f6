import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { asText } from '../jsonl/read-value.ts';
import type { DocumentFormat } from '../records/document-format.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { findSessions, foldersIn, inspectSession } from './find-sessions.ts';
import { aboutSession, loadSession } from './load-session.ts';
import { tellRow, unknownIn } from './tell-row.ts';

export function createGooseSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(gooseFormat, homes);
}

/** Goose's sessions: rows of a SQLite database and, before 1.10, a file of lines for each. */
const gooseFormat: DocumentFormat = {
  agent: 'goose',
  folders: foldersIn,
  find: findSessions,
  inspect: inspectSession,
  load: loadSession,
  about: aboutSession,
  tell: tellRow,
  unknownIn,
  timestampOf: (row) => asText(row.time),
  inDatabase: true,
  copyName: (sessionId) => `${sessionId}.goose.jsonl`,
};
