import { join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { asText } from '../jsonl/read-value.ts';
import type { DocumentFormat } from '../records/document-format.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { findTranscripts, inspectTranscript } from './find-transcripts.ts';
import { loadTranscript } from './load-transcript.ts';
import { tellRow, unknownIn } from './tell-row.ts';

export function createCursorSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(cursorFormat, homes);
}

/**
 * Cursor's agent transcripts, of its editor and of its program for the terminal. It writes a transcript again after each turn, without
 * the records that end turns, and after a summary without what was summarized. Nothing is known about resuming them from outside.
 */
const cursorFormat: DocumentFormat = {
  agent: 'cursor',
  folders: (home) => [join(home, 'projects')],
  find: findTranscripts,
  inspect: inspectTranscript,
  load: loadTranscript,
  tell: tellRow,
  unknownIn,
  timestampOf: (row) => asText(row.time),
  copyName: (sessionId) => `${sessionId}.cursor.jsonl`,
};
