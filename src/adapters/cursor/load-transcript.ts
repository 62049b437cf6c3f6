import { basename, dirname, join } from 'node:path';

import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { readText } from '../jsonl/open-file.ts';
import { asRecord, asText, isoTime, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import { patchEdits } from '../records/patch-edits.ts';
import type { Row } from '../records/row-format.ts';
import { rowsOfText } from '../records/rows-of-text.ts';
import { textOf } from '../records/text-of.ts';
import { timeOfPrompt } from './prompt-text.ts';

/** A transcript's messages. Only prompts have a time: what follows one gets its time. */
export function loadTranscript(path: string): SessionDocument {
  const { rows: all, unread } = rowsOfText(readText(path));
  const rows = all.map(({ row }) => row).filter(({ type }) => type !== 'turn_ended');
  const meta = metaOf(path);
  let time = isoTime(meta?.createdAtMs);
  for (const row of rows) {
    const said = row.role === 'user' ? timeOfPrompt(textOf(asRecord(row.message)?.content)) : null;
    time = said ?? time;
    row.time = time;
  }
  const last = rows.at(-1);
  const updated = isoTime(meta?.updatedAtMs ?? (time === null ? changedAt(path) : null));
  if (last !== undefined && updated !== null && updated > (time ?? '')) last.time = updated;
  const title = asText(meta?.title);
  return {
    about: {
      sessionId: basename(path, '.jsonl'),
      cwd: asText(meta?.cwd) ?? trustedFolder(path) ?? folderNamed(projectOf(path), rows),
      fingerprint: null,
      title: title === null || title === UNNAMED ? null : { source: 'ai', text: title },
    },
    rows,
    unread,
  };
}

const UNNAMED = 'New Agent';

/** The folder `projects/<project>` that contains a transcript; null for a copy elsewhere. */
function projectOf(path: string): string | null {
  const parts = [dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))];
  const transcripts = parts.find((part) => basename(part) === 'agent-transcripts');
  return transcripts === undefined ? null : dirname(transcripts);
}

/** What Cursor's program for the terminal writes of a session, in a folder named by a hash of the session's folder. */
function metaOf(path: string): Row | null {
  const project = projectOf(path);
  if (project === null) return null;
  const chats = join(dirname(dirname(project)), 'chats');
  for (const folder of listFolder(chats)) {
    const text = readRegularFile(join(chats, folder.name, basename(path, '.jsonl'), 'meta.json'), META_BYTES);
    const meta = text === '' ? null : asRecord(parseJson(text));
    if (meta !== null) return meta;
  }
  return null;
}

const META_BYTES = 1024 * 1024;

/** Earlier versions wrote no times at all: only the file's tells when the session was. A copy's does not. */
function changedAt(path: string): number | null {
  return projectOf(path) === null ? null : (statOf(path)?.mtimeMs ?? null);
}

function trustedFolder(path: string): string | null {
  const project = projectOf(path);
  if (project === null) return null;
  return asText(
    asRecord(parseJson(readRegularFile(join(project, '.workspace-trusted'), META_BYTES)))?.workspacePath,
  );
}

/**
 * A project's name is its folder's path with a hyphen for all other signs: the folder is one that contains a path in a call. Of a copy
 * elsewhere, or of a window without a folder, it is the one in which a command ran.
 */
function folderNamed(project: string | null, rows: Row[]): string | null {
  const name = project === null ? null : basename(project);
  let ran: string | null = null;
  for (const part of rows.flatMap(partsOfMessage)) {
    const input = asRecord(part.input) ?? {};
    ran ??= asText(input.working_directory);
    const patched = typeof part.input === 'string' ? patchEdits(part.input).map(({ path }) => path) : [];
    for (const value of name === null ? [] : [...Object.values(input), ...patched]) {
      const folder = typeof value === 'string' ? folderWithName(value.slice(0, 4096), name ?? '') : null;
      if (folder !== null) return folder;
    }
  }
  return name === null || NO_FOLDER.test(name) ? ran : null;
}

const NO_FOLDER = /^(?:empty-window|\d+)$/;

function folderWithName(path: string, name: string): string | null {
  if (name === '' || path.includes('\n') || !/^(?:\/|[A-Za-z]:[\\/])/.test(path)) return null;
  let [named, end] = ['', -1];
  for (const part of path.split(/[\\/]/)) {
    end += part.length + 1;
    const words = part.replace(/[^A-Za-z0-9]+/g, ' ').trim();
    if (words === '') continue;
    named += `${named === '' ? '' : '-'}${words.replaceAll(' ', '-')}`;
    if (named === name) return path.slice(0, end);
    if (!name.startsWith(named)) return null;
  }
  return null;
}

function partsOfMessage(row: Row): Row[] {
  const content = asRecord(row.message)?.content;
  return Array.isArray(content) ? content.map(asRecord).filter((part) => part !== null) : [];
}
