import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { asText } from '../jsonl/read-value.ts';
import type { DocumentFormat } from '../records/document-format.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { findChats, foldersIn, inspectChat } from './find-chats.ts';
import { loadChat } from './load-chat.ts';
import { tellRow, unknownIn } from './tell-row.ts';

export function createVscodeSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(vscodeFormat, homes);
}

/** The chats of VS Code and of editors made of it: JSON documents and, since 1.109, logs of the changes to one. */
const vscodeFormat: DocumentFormat = {
  agent: 'vscode',
  folders: foldersIn,
  find: findChats,
  inspect: inspectChat,
  load: loadChat,
  tell: tellRow,
  unknownIn,
  timestampOf: (row) => asText(row.time),
  copyName: (sessionId) => `${sessionId}.vscode-chat.jsonl`,
};
