import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { digestParts, readParts } from '../jsonl/read-parts.ts';
import type { DocumentFormat } from './document-format.ts';
import { readDocument, readDocumentSteps } from './read-document.ts';
import { contextSizeOf, endingOf, usageIn } from './read-usage.ts';

/** The transcripts of an agent whose sessions are files that change in the middle. Sessions are restored into the first home. */
export function createDocumentSource(format: DocumentFormat, homes: string[]): TranscriptSource {
  const { agent, commands, restorePath, copyOf } = format;
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
    findInheritance({ path }) {
      const { about, rows } = load(path);
      if (about.parent === null) return null;
      const { id, since } = about.parent;
      const own = rows.findIndex((row) => (format.timestampOf(row) ?? '') >= since);
      return { parentId: id, inheritedBytes: own < 0 ? rows.length : own };
    },
    // A file that changed may have changed anywhere.
    digest: (path, end, known) =>
      end < load(path).rows.length ? [] : digestParts(path, Number.MAX_SAFE_INTEGER, known.slice(0, 0)),
    bytes: {
      parts: readParts,
      copyName: (sessionId) => format.copyName(sessionId),
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
