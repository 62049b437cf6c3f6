import type { SessionPayload } from '../domain/point.ts';
import { identityOf, sessionPoint } from '../domain/session-record.ts';
import type { RepositoryProbe } from '../ports/repository-probe.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptFile, TranscriptSource } from '../ports/transcript-source.ts';
import { readTurns } from './read-conversation.ts';

/**
 * The record of a session that is not indexed, read from its transcript.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export function describeTranscript(
  deps: { sources: TranscriptSource[]; machine: ThisMachine; probe: RepositoryProbe },
  file: TranscriptFile,
): SessionPayload | null {
  const source = deps.sources.find(({ agent }) => agent === file.agent);
  if (source === undefined) return null;
  const { draft } = readTurns(source, file.path);
  const workingDirectory = draft.workingDirectory ?? '';
  const identity = identityOf(
    {
      sessionId: file.sessionId,
      agent: file.agent,
      machine: deps.machine.name,
      workingDirectory,
      remoteUrl: draft.remoteUrl,
    },
    workingDirectory === '' ? null : deps.probe(workingDirectory),
  );
  return sessionPoint(identity, {
    draft,
    markers: [],
    tags: [],
    path: file.path,
    bytes: file.size,
    lines: 0,
    chunks: 0,
    intents: 0,
    parts: [],
  }).payload;
}
