import { asText } from '../jsonl/read-value.ts';
import type { DocumentFormat } from '../records/document-format.ts';
import { findChats, foldersIn, inspectChat } from './find-chats.ts';
import { loadChat } from './load-chat.ts';
import { tellRow, unknownIn } from './tell-row.ts';

/** The chats of VS Code and of editors made of it: JSON documents and, since 1.109, logs of the changes to one. */
export const vscodeFormat: DocumentFormat = {
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
