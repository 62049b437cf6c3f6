import { join, sep } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { ARCHIVED, describeFile, findTranscripts, idInName, SESSIONS } from './find.ts';
import { readHead } from './head.ts';
import { findInheritance, fingerprintOf, readWhole } from './inheritance.ts';
import { canDecompress, digestTranscript, isCompressed } from './lines.ts';
import { readNames } from './names.ts';
import { readTranscript } from './read-transcript.ts';
import { restorePath } from './restore-path.ts';

export interface CodexOptions {
  /** Folders as CODEX_HOME names them; sessions are restored into the first. */
  homes: string[];
}

/** The transcripts that the Codex CLI keeps under its homes. */
export function createCodexSource({ homes }: CodexOptions): TranscriptSource {
  return {
    agent: 'codex',
    roots: homes.flatMap((home) => [join(home, SESSIONS), join(home, ARCHIVED)]),
    find: (onProblem = () => undefined) =>
      homes.flatMap((home) => findTranscripts(home, readNames(home), onProblem)),
    inspect: (path) => inspectFile(path, homes),
    read: (path, options, onEvent) =>
      readTranscript(path, { ...options, name: nameOf(path, homes) }, onEvent),
    readWhole,
    findInheritance,
    fingerprint: fingerprintOf,
    digest: digestTranscript,
    resumeCommand: (sessionId) => ['codex', 'resume', sessionId],
    forkCommand: (sessionIdOrPath) => ['codex', 'fork', idInName(sessionIdOrPath) ?? sessionIdOrPath],
    restoreCommand: (sessionId) => ['codex', 'unarchive', sessionId],
    restorePath: (sessionId) => restorePath(homes[0] ?? '', sessionId),
  };
}

/** A compressed transcript that this Node cannot read goes by its name: whoever reads it is told what is missing. */
function inspectFile(path: string, homes: string[]): TranscriptFile | null {
  try {
    const closed = isCompressed(path) && !canDecompress();
    const head = closed ? null : readHead(path);
    const sessionId = idInName(path) ?? head?.id;
    if (sessionId === undefined || (head === null && !closed)) return null;
    const home = homeOf(path, homes);
    const archived = home !== null && path.startsWith(join(home, ARCHIVED) + sep);
    return describeFile(path, sessionId, { name: nameOf(path, homes) ?? undefined, archived });
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

function nameOf(path: string, homes: string[]): string | null {
  const home = homeOf(path, homes);
  const sessionId = idInName(path);
  return home === null || sessionId === null ? null : (readNames(home).get(sessionId) ?? null);
}

function homeOf(path: string, homes: string[]): string | null {
  return homes.find((home) => path.startsWith(home.endsWith(sep) ? home : home + sep)) ?? null;
}
