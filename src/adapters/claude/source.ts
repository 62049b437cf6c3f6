import { join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { digestParts } from '../jsonl/digest-parts.ts';
import { readParts } from '../jsonl/read-parts.ts';
import { claudeCommands } from './place/commands.ts';
import { cutTranscript } from './place/cut-transcript.ts';
import { findTranscripts, inspectGivenPath, locateTranscript } from './place/find-transcripts.ts';
import { liveProcesses } from './place/live-processes.ts';
import { projectSlug } from './place/project-slug.ts';
import { resumeTarget } from './place/restore-path.ts';
import { contextSize } from './transcript/context-size.ts';
import { findInheritance, readTranscriptHead } from './transcript/find-inheritance.ts';
import { readEnding } from './transcript/read-ending.ts';
import { readTranscript } from './transcript/read-transcript.ts';

/** Claude Code's transcripts below one or more configuration folders (`~/.claude`, CLAUDE_CONFIG_DIR). */
export function createClaudeSource(settings: { homes: string[] }): TranscriptSource {
  const roots = settings.homes.map((home) => join(home, 'projects'));
  const ignoreProblems = () => undefined;
  const pathFor = (sessionId: string, workingDirectory: string) =>
    join(roots[0] ?? '', projectSlug(workingDirectory), `${sessionId}.jsonl`);
  return {
    agent: 'claude',
    roots,
    find: (onProblem = ignoreProblems) => roots.flatMap((root) => findTranscripts(root, onProblem)),
    inspect: (path) => inspectGivenPath(roots, path),
    read: readTranscript,
    findInheritance,
    head: (file) => readTranscriptHead(file.path),
    digest: digestParts,
    readParts,
    resumeTarget: (transcript, directory) => resumeTarget(roots, transcript, directory),
    ...claudeCommands,
    cut: (path, request) =>
      cutTranscript(path, pathFor(request.sessionId, request.workingDirectory), request),
    contextSize,
    readEnding,
    liveProcesses: (sessionId) => liveProcesses(settings.homes, sessionId),
    locate: (sessionId) => locateTranscript(roots, sessionId),
    restorePath: pathFor,
  };
}
