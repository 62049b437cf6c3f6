import { basename, dirname, resolve } from 'node:path';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { readText } from '../jsonl/open-file.ts';
import { asList, asNumber, asRecord, asText, isoTime, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import type { Row } from '../records/row-format.ts';
import { partsOf } from '../records/text-of.ts';
import { pathOfUri } from './file-uri.ts';
import { workspaceOf } from './find-chats.ts';
import { replayLog } from './replay-log.ts';

/** Two rows for each request: the prompt and the answer. A request that the user took back is left out. */
export function loadChat(path: string): SessionDocument {
  const { chat, unread } = readChat(path);
  const requests = asList(chat.requests).map(asRecord);
  const rows = requests
    .filter((request) => request !== null)
    .filter(({ shouldBeRemovedOnSend, isHidden }) => !shouldBeRemovedOnSend && isHidden !== true)
    .flatMap((request) => rowsOf(request, chat));
  const title = asText(chat.customTitle);
  return {
    about: {
      sessionId: basename(path).split('.')[0] ?? '',
      cwd: folderOf(path) ?? folderOfCommands(requests),
      folders: foldersOfWorkspace(path),
      fingerprint: asText(requests[0]?.requestId),
      title: title === null ? null : { source: 'ai', text: title },
    },
    rows,
    unread: [...unread, ...lost(requests)],
  };
}

function readChat(path: string): { chat: Row; unread: SkippedLine[] } {
  const text = readText(path);
  const whole = asRecord(parseJson(text));
  if (whole !== null && whole.kind === undefined) return { chat: whole, unread: [] };
  return replayLog(text);
}

function rowsOf(request: Row, chat: Row): Row[] {
  const sent = asNumber(request.timestamp) ?? asNumber(chat.creationDate);
  const took = asNumber(asRecord(asRecord(request.result)?.timings)?.totalElapsed);
  const completed =
    asNumber(asRecord(request.modelState)?.completedAt) ??
    (sent !== null && took !== null ? sent + took : sent);
  return [
    { role: 'user', time: isoTime(sent), request },
    { role: 'assistant', time: isoTime(completed), request },
  ];
}

function lost(requests: (Row | null)[]): SkippedLine[] {
  return requests.flatMap((request, at) =>
    request === null ? [{ line: at + 1, reason: 'not an object' as const }] : [],
  );
}

/** Of a workspace with several folders, the folder of its file, unless VS Code keeps it until the workspace has a name. */
function folderOf(path: string): string | null {
  const about = asRecord(parseJson(workspaceOf(path)));
  const file = fileOf(about);
  return pathOfUri(about?.folder) ?? /^(.*)[\\/][^\\/]+\.code-workspace$/s.exec(file ?? '')?.[1] ?? null;
}

function fileOf(about: Row | null): string | null {
  return pathOfUri(about?.workspace ?? about?.configuration);
}

/** The folders that the file of a workspace names, as paths from its own folder or as URIs. It may contain comments. */
function foldersOfWorkspace(path: string): string[] {
  const file = fileOf(asRecord(parseJson(workspaceOf(path))));
  const text = file === null ? '' : readRegularFile(file, 256 * 1024);
  const list = text.slice(Math.max(0, text.indexOf('"folders"'))).split(']', 1)[0] ?? '';
  return [...list.matchAll(NAMED_FOLDER)].flatMap(([, key, quoted = '']) => {
    const named = asText(parseJson(quoted));
    if (named === null) return [];
    return (key === 'uri' ? pathOfUri(named) : resolve(dirname(file ?? ''), named)) ?? [];
  });
}

const NAMED_FOLDER = /"(path|uri)"\s{0,9}:\s{0,9}("(?:[^"\\\n]|\\.){1,4096}")/g;

function folderOfCommands(requests: (Row | null)[]): string | null {
  for (const part of requests.flatMap((request) => partsOf(request?.response))) {
    const folder = pathOfUri(asRecord(part.toolSpecificData)?.cwd);
    if (folder !== null) return folder;
  }
  return null;
}
