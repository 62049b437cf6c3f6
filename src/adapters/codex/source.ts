import { basename, join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createPromptHistory } from '../history/prompt-history.ts';
import { codexCommands } from './commands.ts';
import { ARCHIVED, findTranscripts, inspectTranscript, SESSIONS } from './files/find-transcripts.ts';
import { locateTranscript } from './files/locate-transcript.ts';
import { createOwnIds } from './files/own-ids.ts';
import { digestParts, readParts } from './files/read-file.ts';
import { restorePath } from './files/restore-path.ts';
import { createImportedFrom } from './files/session-imports.ts';
import { createSessionNames } from './files/session-names.ts';
import { codexHistory } from './history/read-prompt.ts';
import { readSteps } from './steps/read-steps.ts';
import { findInheritance } from './transcript/find-inheritance.ts';
import { readContextSize } from './transcript/read-ending.ts';
import { readHead } from './transcript/read-head.ts';
import { readInherited } from './transcript/read-inherited.ts';
import { readTranscript } from './transcript/read-transcript.ts';
import { readUsage } from './usage/read-usage.ts';

/** Codex's transcripts in one or more homes (`~/.codex`, CODEX_HOME). Sessions are restored into the first one. */
export function createCodexSource({ homes }: { homes: string[] }): TranscriptSource {
  const names = createSessionNames(homes);
  const ownIds = createOwnIds();
  const importedFrom = createImportedFrom(homes);
  const pathFor = (sessionId: string) => restorePath(homes[0] ?? '', sessionId);
  return {
    agent: 'codex',
    roots: homes.flatMap((home) => [join(home, SESSIONS), join(home, ARCHIVED)]),
    find: (onProblem) => homes.flatMap((home) => findTranscripts(home, names.inHome(home), onProblem)),
    inspect: (path) => inspectTranscript(homes, path, names.of(path), ownIds),
    read: (path, options, onEvent) =>
      readTranscript(path, { ...options, name: names.of(path) ?? null }, (event, offset, line) => {
        if (event.kind !== 'parent') return onEvent(event, offset, line);
        // An import is not indexed, so its fork counts as a fork of the imported session.
        onEvent(
          { ...event, sessionId: importedFrom(path, event.sessionId) ?? event.sessionId },
          offset,
          line,
        );
      }),
    readSteps,
    readInherited,
    findInheritance: (file) => findInheritance(file, (sessionId) => importedFrom(file.path, sessionId)),
    head: (file) => readHead(file.path),
    digest: digestParts,
    commands: codexCommands,
    bytes: {
      parts: readParts,
      copyName: (sessionId) => basename(pathFor(sessionId)),
      restorePath: pathFor,
    },
    usage: { read: readUsage, files: ({ path, size, inode }) => [{ path, size, inode }] },
    facts: { contextSize: readContextSize },
    locate: (sessionId) => locateTranscript(homes, sessionId),
    history: createPromptHistory(homes, codexHistory),
  };
}
