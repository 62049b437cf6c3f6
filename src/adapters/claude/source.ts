import { join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { homeOf } from '../files/home-of.ts';
import { createPromptHistory } from '../history/prompt-history.ts';
import { digestParts, readParts } from '../jsonl/read-parts.ts';
import { claudeCommands } from './commands.ts';
import { createTranscript } from './files/create-transcript.ts';
import { cutTranscript } from './files/cut-transcript.ts';
import { subagentPath } from './files/find-subagents.ts';
import { createFinder, inspectGivenPath } from './files/find-transcripts.ts';
import { locateTranscript } from './files/locate-transcript.ts';
import { restorePath, resumeTarget } from './files/restore-path.ts';
import { claudeHistory } from './history/read-prompt.ts';
import { liveProcesses, sessionOfProcess } from './live-processes.ts';
import { readSteps } from './steps/read-steps.ts';
import { findInheritance } from './transcript/find-inheritance.ts';
import { readContextSize, readEnding } from './transcript/read-ending.ts';
import { readHead } from './transcript/read-head.ts';
import { readTranscript } from './transcript/read-transcript.ts';
import { readUsage } from './usage/read-usage.ts';

/** Claude Code's transcripts in one or more configuration folders (`~/.claude`, CLAUDE_CONFIG_DIR). */
export function createClaudeSource({ homes }: { homes: string[] }): TranscriptSource {
  const finder = createFinder();
  const roots = homes.map((home) => join(home, 'projects'));
  const pathFor = (sessionId: string, workingDirectory: string, ...near: string[]) =>
    restorePath(homeOf(roots, ...near), sessionId, workingDirectory);
  return {
    agent: 'claude',
    roots,
    find: (onProblem) => roots.flatMap((root) => finder.find(root, onProblem)),
    inspect: (path) => inspectGivenPath(finder, roots, path),
    read: readTranscript,
    readSteps,
    findInheritance,
    head: (file) => readHead(file.path),
    digest: digestParts,
    commands: {
      ...claudeCommands,
      resumeTarget: (transcript, directory) => resumeTarget(roots, transcript, directory),
    },
    cut(path, request) {
      const { sessionId, workingDirectory, former = '' } = request;
      return cutTranscript(path, pathFor(sessionId, workingDirectory, path, former), request);
    },
    create: (request) => createTranscript(pathFor(request.sessionId, request.workingDirectory), request),
    bytes: {
      parts: readParts,
      copyName: (sessionId) => `${sessionId}.jsonl`,
      restorePath: (sessionId, cwd, former = '') => pathFor(sessionId, cwd, former),
      subagentPath,
    },
    processes: {
      of: (sessionId) => liveProcesses(homes, sessionId),
      session: (pid) => sessionOfProcess(homes, pid),
    },
    usage: {
      read: readUsage,
      files: (file) =>
        [file, ...finder.subagents(file)].map(({ path, size, inode }) => ({ path, size, inode })),
    },
    facts: { contextSize: readContextSize, ending: readEnding },
    locate: (sessionId) => locateTranscript(finder, roots, sessionId),
    history: createPromptHistory(homes, claudeHistory),
  };
}
