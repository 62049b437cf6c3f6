import type { SessionPayload } from '../../domain/point/point.ts';
import { identityOf, sessionPoint } from '../../domain/point/session-points.ts';
import type { RepositoryProbe, ThisMachine } from '../../ports/machine.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import type { PrivacyRules } from '../privacy/privacy-rules.ts';
import { subjectOf } from '../privacy/privacy-subject.ts';
import { readTurns } from './read-conversation.ts';

export interface DescribeDependencies {
  sources: TranscriptSource[];
  machine: ThisMachine;
  probe: RepositoryProbe;
  redactor: Redactor;
  privacy: () => Promise<PrivacyRules>;
  /** Ids of sessions forgotten on this machine. */
  forgotten: () => Promise<Set<string>>;
}

/**
 * Builds the record of a session that is not indexed from its transcript. Null if it was forgotten or the privacy rules
 * exclude it.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export async function describeTranscript(
  deps: DescribeDependencies,
  file: TranscriptFile,
): Promise<SessionPayload | null> {
  const source = deps.sources.find(({ agent }) => agent === file.agent);
  if (source === undefined || (await deps.forgotten()).has(file.sessionId)) return null;
  const { draft } = await readTurns(source, file.path, deps.redactor);
  const workingDirectory = draft.workingDirectory ?? '';
  const identity = identityOf(
    {
      sessionId: file.sessionId,
      agent: file.agent,
      machine: deps.machine.name,
      workingDirectory,
      remoteUrl: draft.remoteUrl,
    },
    workingDirectory === '' ? null : deps.probe(workingDirectory, draft.branch),
  );
  const rules = await deps.privacy();
  if (!rules.allows(subjectOf(file.path, identity, draft, deps.probe))) return null;
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
