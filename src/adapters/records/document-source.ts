import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { digestBuffer, digestParts, readParts } from '../jsonl/read-parts.ts';
import type { DocumentFormat } from './document-format.ts';
import { readDocument, readDocumentSteps } from './read-document.ts';
import { contextSizeOf, endingOf, usageIn } from './read-usage.ts';

/** The transcripts of an agent whose sessions are files that change in the middle. Sessions are restored into the first home. */
export function createDocumentSource(format: DocumentFormat, homes: string[]): TranscriptSource {
  const { agent, commands, copyName, restorePath, copyOf } = format;
  const [home = ''] = homes;
  const { load } = format;
  return {
    agent,
    roots: homes.flatMap((each) => format.folders(each)),
    find: (onProblem) => homes.flatMap((each) => format.find(each, onProblem)),
    inspect: (path) => format.inspect(path),
    locate: (sessionId) =>
      homes.flatMap((each) => format.find(each)).find((file) => file.sessionId === sessionId)?.path ?? null,
    head({ path }) {
      const { about } = load(path);
      return { fingerprint: about.fingerprint, workingDirectory: about.cwd };
    },
    read: (path, options, onEvent) => readDocument(format, path, options, onEvent),
    readSteps: (path, range, onStep) => readDocumentSteps(format, path, range, onStep),
    findInheritance({ path }, siblings) {
      const document = load(path);
      const parent = document.about.parent ?? format.parentAmong?.(document, siblings) ?? null;
      if (parent === null) return null;
      const own = document.rows.findIndex((row) => (format.timestampOf(row) ?? '') >= parent.since);
      return { parentId: parent.id, inheritedBytes: own < 0 ? document.rows.length : own };
    },
    digest: (path, end) => digestOf(format, path, end),
    bytes:
      copyName === undefined
        ? undefined
        : {
            parts: readParts,
            copyName: (sessionId) => copyName(sessionId),
            restorePath:
              restorePath === undefined ? undefined : (sessionId, cwd) => restorePath(home, sessionId, cwd),
          },
    commands,
    cut:
      copyOf === undefined || restorePath === undefined
        ? undefined
        : (path, request) => {
            const target = restorePath(home, request.sessionId, request.workingDirectory);
            return writeCopy(target, copyOf(load(path), request, path));
          },
    usage: {
      files: ({ path, size, inode }) => [{ path, size, inode }],
      read(path, from, onRequest) {
        const { about, rows } = load(path);
        usageIn(format, rows.slice(from?.offset ?? 0), about.parent?.since ?? null, onRequest);
        return { offset: rows.length, state: '' };
      },
    },
    facts: {
      contextSize: (path) => contextSizeOf(format, load(path).rows),
      ending: (path) => endingOf(format, load(path).rows),
    },
  };
}

/** A file that changed may have changed anywhere. Of a database, the records before the position are digested. */
function digestOf(format: DocumentFormat, path: string, end: number): string[] {
  const { rows } = format.load(path);
  if (format.copyName !== undefined)
    return end < rows.length ? [] : digestParts(path, Number.MAX_SAFE_INTEGER, []);
  return digestBuffer(Buffer.from(JSON.stringify(rows.slice(0, end))));
}

function writeCopy(target: string, text: string): string {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, target);
    return target;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${target}: ${errorText(error)}`, {
      hint: 'Check that the folder is writable and the disk is not full.',
      cause: error,
    });
  }
}
