import type { RepositoryProbe } from '../../ports/machine.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';

/** Many times what the slowest transcripts need on a slow machine. */
const BASE_MS = 60_000;
const MS_PER_MB = 2000;

/** The time that one session may take, in milliseconds. */
export function timeFor({ size, subagents = [] }: TranscriptFile): number {
  const bytes = subagents.reduce((total, subagent) => total + subagent.size, size);
  return BASE_MS + Math.ceil(bytes / 1024 / 1024) * MS_PER_MB;
}

type Reading = Pick<TranscriptSource, 'read' | 'digest'>;

/** What reads a session, within its time. Digesting takes no longer than reading the bytes. */
export function limitReading(source: Reading, limit: TimeLimit): Reading {
  return {
    read: (path, options, onEvent) => limit.run(() => source.read(path, options, onEvent)),
    digest: (path, end, known) => source.digest(path, end, known),
  };
}

export type Probed = Map<string, ReturnType<RepositoryProbe>>;

/** @param known the answers of a run: a call under a limit costs more than most of them */
export function limitProbe(probe: RepositoryProbe, limit: TimeLimit, known: Probed): RepositoryProbe {
  return (directory, branch) => {
    const question = JSON.stringify([directory, branch]);
    const answer = known.has(question) ? known.get(question) : limit.run(() => probe(directory, branch));
    known.set(question, answer ?? null);
    return answer ?? null;
  };
}

export function limitRedactor(redactor: Redactor, limit: TimeLimit): Redactor {
  return { redact: (texts) => redactor.redact(texts, limit) };
}
