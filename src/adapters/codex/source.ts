import { join, sep } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { ARCHIVED, describeFile, findTranscripts, idInName, SESSIONS } from './place/find-transcripts.ts';
import { locateTranscript } from './place/locate-transcript.ts';
import { createNames, type NamesOf } from './place/names.ts';
import { readHead } from './place/read-head.ts';
import { restorePath } from './place/restore-path.ts';
import { contextSize } from './transcript/context-size.ts';
import { describeHead, findInheritance, readWhole } from './transcript/find-inheritance.ts';
import { canDecompress, digestTranscript, isCompressed, readTranscriptParts } from './transcript/lines.ts';
import { readTranscript } from './transcript/read-transcript.ts';

export interface CodexOptions {
  /** Folders as CODEX_HOME names them; sessions are restored into the first. */
  homes: string[];
}

/** The transcripts that the Codex CLI keeps under its homes. */
export function createCodexSource({ homes }: CodexOptions): TranscriptSource {
  const namesOf = createNames();
  return {
    agent: 'codex',
    roots: homes.flatMap((home) => [join(home, SESSIONS), join(home, ARCHIVED)]),
    find: (onProblem = () => undefined) =>
      homes.flatMap((home) => findTranscripts(home, namesOf(home), onProblem)),
    inspect: (path) => inspectFile(path, homes, namesOf),
    read: (path, options, onEvent) =>
      readTranscript(path, { ...options, name: nameOf(path, homes, namesOf) ?? null }, onEvent),
    readWhole,
    findInheritance,
    head: describeHead,
    digest: digestTranscript,
    readParts: readTranscriptParts,
    resumeTarget: ({ sessionId }) => sessionId,
    resumeCommand: (sessionId) => ['codex', 'resume', sessionId],
    startCommand: (prompt) => ['codex', prompt],
    fileReference: (path) => path,
    choosesIds: false,
    takesNames: false,
    forkCommand: (target) => ['codex', 'fork', idInName(target) ?? target],
    contextSize,
    readEnding: () => ({ answered: null, tests: null }),
    liveProcesses: () => [],
    restoreCommand: (sessionId) => ['codex', 'unarchive', sessionId],
    locate: (sessionId) => locateTranscript(homes, sessionId),
    restorePath: (sessionId) => restorePath(homes[0] ?? '', sessionId),
  };
}

/** A compressed transcript that this Node cannot read goes by its name: whoever reads it is told what is missing. */
function inspectFile(path: string, homes: string[], namesOf: NamesOf): TranscriptFile | null {
  try {
    const closed = isCompressed(path) && !canDecompress();
    const head = closed ? null : readHead(path);
    const sessionId = idInName(path) ?? head?.id;
    if (sessionId === undefined || (head === null && !closed)) return null;
    const home = homeOf(path, homes);
    const archived = home !== undefined && path.startsWith(join(home, ARCHIVED) + sep);
    return describeFile(path, sessionId, { name: nameOf(path, homes, namesOf), archived });
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

function nameOf(path: string, homes: string[], namesOf: NamesOf): string | undefined {
  const home = homeOf(path, homes);
  const sessionId = idInName(path);
  return home === undefined || sessionId === null ? undefined : namesOf(home).get(sessionId);
}

function homeOf(path: string, homes: string[]): string | undefined {
  return homes.find((home) => path.startsWith(home.endsWith(sep) ? home : home + sep));
}
