import { join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { digestParts } from '../jsonl/digest-parts.ts';
import { readParts } from '../jsonl/read-parts.ts';
import { claudeCommands } from './commands.ts';
import { contextSize } from './context-size.ts';
import { cutTranscript } from './cut-transcript.ts';
import { findInheritance, readTranscriptHead } from './find-inheritance.ts';
import { findTranscripts, inspectGivenPath, locateTranscript } from './find-transcripts.ts';
import { liveProcesses } from './live-processes.ts';
import { projectSlug } from './project-slug.ts';
import { readEnding } from './read-ending.ts';
import { readTranscript } from './read-transcript.ts';
import { resumeTarget } from './resume-target.ts';

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
