import { join } from 'node:path';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { digestParts } from '../jsonl/digest-parts.ts';
import { findInheritance, readTranscriptHead } from './find-inheritance.ts';
import { findTranscripts, inspectGivenPath, locateTranscript } from './find-transcripts.ts';
import { projectSlug } from './project-slug.ts';
import { readTranscript } from './read-transcript.ts';

/** Claude Code's transcripts below one or more configuration folders (`~/.claude`, CLAUDE_CONFIG_DIR). */
export function createClaudeSource(settings: { homes: string[] }): TranscriptSource {
  const roots = settings.homes.map((home) => join(home, 'projects'));
  const ignoreProblems = () => undefined;
  return {
    agent: 'claude',
    roots,
    find: (onProblem = ignoreProblems) => roots.flatMap((root) => findTranscripts(root, onProblem)),
    inspect: (path) => inspectGivenPath(roots, path),
    read: (path, options, onEvent) => readTranscript(path, options, onEvent),
    findInheritance,
    head: (file) => readTranscriptHead(file.path),
    digest: digestParts,
    resumesByPath: true,
    resumeCommand: (sessionId) => ['claude', '--resume', sessionId],
    forkCommand: (sessionIdOrPath) => ['claude', '--resume', sessionIdOrPath, '--fork-session'],
    locate: (sessionId) => locateTranscript(roots, sessionId),
    restorePath: (sessionId, workingDirectory) =>
      join(roots[0] ?? '', projectSlug(workingDirectory), `${sessionId}.jsonl`),
  };
}
