import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { writeText } from '../files/write-atomically.ts';
import { digestLines, digestParts, partsOfLines, readParts } from '../jsonl/read-parts.ts';
import type { DocumentFormat, SessionDocument } from './document-format.ts';
import { readDocument, readDocumentSteps } from './read-document.ts';
import { contextSizeOf, endingOf, usageIn } from './read-usage.ts';
import { placeOfCopy, restoringTo } from './restore-path.ts';
import type { Row } from './row-format.ts';
import { filesOf } from './subagents.ts';

/** The transcripts of an agent whose sessions are files that change in the middle. */
export function createDocumentSource(given: DocumentFormat, homes: string[]): TranscriptSource {
  const load = rememberLast(given);
  const format = { ...given, load };
  const { agent, commands, subagentPath, comparableText, copyOf, createdText } = format;
  const restorePath = restoringTo(format, homes);
  return {
    agent,
    roots: homes.flatMap((each) => format.folders(each)),
    find: (onProblem) => homes.flatMap((each) => format.find(each, onProblem)),
    inspect: (path) => format.inspect(path),
    locate: (sessionId) =>
      homes.flatMap((each) => format.find(each)).find((file) => file.sessionId === sessionId)?.path ?? null,
    head({ path }) {
      const { fingerprint, cwd } = format.about?.(path) ?? load(path).about;
      return { fingerprint, workingDirectory: cwd };
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
    bytes: {
      parts: (path, from) =>
        format.inDatabase ? partsOfLines(linesIn(load(path)), from) : readParts(path, from),
      copyName: (sessionId) => format.copyName(sessionId),
      restorePath,
      subagentPath,
      comparableText,
    },
    commands,
    cut:
      copyOf &&
      restorePath &&
      ((path, request) =>
        writeText(placeOfCopy(restorePath, path, request), copyOf(load(path), request, path))),
    create:
      createdText &&
      restorePath &&
      ((request) =>
        writeText(restorePath(request.sessionId, request.workingDirectory), createdText(request))),
    endOf: (path) => load(path).rows.length,
    usage: {
      files: filesOf,
      read(path, from, onRequest) {
        const { about, rows } = load(path);
        usageIn(format, rows.slice(from?.offset ?? 0), about.parent?.since ?? null, onRequest);
        return { offset: rows.length, state: '' };
      },
    },
    facts: {
      contextSize: (path, before) => contextSizeOf(format, liveRows(load(path), before)),
      ending: (path) => endingOf(format, liveRows(load(path))),
    },
  };
}

function liveRows({ rows, rewound }: SessionDocument, end = rows.length): Row[] {
  return rows.slice(0, end).filter(({ id }) => rewound?.has(String(id)) !== true);
}

/** A file that changed may have changed anywhere. Of a database, the lines before the position are digested. */
function digestOf(format: DocumentFormat, path: string, end: number): string[] {
  const document = format.load(path);
  if (format.inDatabase) return digestLines(linesIn(document, end));
  return end < document.rows.length ? [] : digestParts(path, Number.MAX_SAFE_INTEGER, []);
}

function linesIn({ lines, rows }: SessionDocument, end = rows.length): string[] {
  return lines?.(end) ?? [];
}

/** Indexing asks for a session's head, parent, records and digest, one after the other: it is loaded once. */
function rememberLast(format: DocumentFormat): (path: string) => SessionDocument {
  let last: { path: string; mark: string; document: SessionDocument } | null = null;
  return (path) => {
    const file = format.inspect(path);
    const mark = file && `${file.size} ${file.mtimeMs} ${file.inode} ${file.revision ?? ''}`;
    if (mark === null) return format.load(path);
    if (last?.path !== path || last.mark !== mark) last = { path, mark, document: format.load(path) };
    return last.document;
  };
}
