import { basename, join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import type { UsageFile } from '../../ports/usage/usage-records.ts';
import { homeOf } from '../files/home-of.ts';
import { statOf } from '../files/look-at-path.ts';
import { createPromptHistory } from '../history/prompt-history.ts';
import { codexCommands } from './commands.ts';
import { findTranscripts, inspectTranscript } from './files/find-transcripts.ts';
import { ARCHIVED, idInName, SESSIONS } from './files/list-transcripts.ts';
import { locateTranscript } from './files/locate-transcript.ts';
import { createOwnIds } from './files/own-ids.ts';
import { digestParts, type Rollouts, readParts } from './files/read-file.ts';
import { restorePath } from './files/restore-path.ts';
import { createRolloutFiles } from './files/rollouts.ts';
import { createImportedFrom } from './files/session-imports.ts';
import { createSessionNames } from './files/session-names.ts';
import { splitRollouts } from './files/split-rollouts.ts';
import { codexHistory } from './history/read-prompt.ts';
import { readSteps } from './steps/read-steps.ts';
import { findInheritance } from './transcript/find-inheritance.ts';
import { readContextSize } from './transcript/read-ending.ts';
import { readHead } from './transcript/read-head.ts';
import { readInherited } from './transcript/read-inherited.ts';
import { readTranscript } from './transcript/read-transcript.ts';
import { readUsage } from './usage/read-usage.ts';

/** Codex's transcripts in one or more homes (`~/.codex`, CODEX_HOME). Sessions are restored into the one where they were, or the first. */
export function createCodexSource({ homes }: { homes: string[] }): TranscriptSource {
  const names = createSessionNames(homes);
  const rollouts = createRolloutFiles(homes);
  const finder = { rollouts, ownIds: createOwnIds() };
  const importedFrom = createImportedFrom(homes);
  const nameOf = (path: string, files: Rollouts) =>
    names.of(path, idInName(typeof files === 'string' ? path : (files[0] ?? path)));
  const inspect = (path: string) =>
    inspectTranscript(finder, homes, path, (threadId) => names.of(path, threadId));
  const pathFor = (sessionId: string, _cwd: string, former = '') =>
    restorePath(homeOf(homes, former), sessionId, former);
  return {
    agent: 'codex',
    roots: homes.flatMap((home) => [join(home, SESSIONS), join(home, ARCHIVED)]),
    find: (onProblem) =>
      homes.flatMap((home) => findTranscripts(finder, home, names.inHome(home), onProblem)),
    inspect,
    read(path, options, onEvent) {
      const files = rollouts.of(path);
      return readTranscript(
        files,
        { ...options, name: nameOf(path, files) ?? null },
        (event, offset, line) => {
          if (event.kind !== 'parent') return onEvent(event, offset, line);
          // An import is not indexed, so its fork counts as a fork of the imported session.
          onEvent(
            { ...event, sessionId: importedFrom(path, event.sessionId) ?? event.sessionId },
            offset,
            line,
          );
        },
      );
    },
    readSteps: (path, range, onStep) => readSteps(rollouts.of(path), range, onStep),
    readInherited: (file, siblings, onEvent) => readInherited(rollouts.of, file, siblings, onEvent),
    findInheritance: ({ path }) =>
      findInheritance(rollouts.of(path), (sessionId) => importedFrom(path, sessionId)),
    head: ({ path }) => readHead(rollouts.of(path)),
    digest: (path, end, known) => digestParts(rollouts.of(path), end, known),
    commands: codexCommands,
    bytes: {
      parts: (path, from) => readParts(rollouts.of(path), from),
      copyName: (sessionId) => basename(pathFor(sessionId, '')),
      restorePath: pathFor,
      split: (path, bytes) => splitRollouts([rollouts.of(path)].flat(), bytes),
    },
    usage: { read: readUsage, files: ({ path }) => usageFiles(rollouts.of(path)) },
    facts: { contextSize: (path, before) => readContextSize(rollouts.of(path), before) },
    locate: (sessionId) => locateTranscript({ rollouts, inspect }, homes, sessionId),
    history: createPromptHistory(homes, codexHistory),
  };
}

/** Each rollout of a thread is counted on its own. */
function usageFiles(files: Rollouts): UsageFile[] {
  return (typeof files === 'string' ? [files] : files).flatMap((path) => {
    const stat = statOf(path);
    return stat === undefined ? [] : [{ path, size: stat.size, inode: stat.ino }];
  });
}
