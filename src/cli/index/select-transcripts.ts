import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { IndexReport } from '../../app/index/index-report.ts';
import { readTime } from '../../app/search/read-time.ts';
import { isPath, matchesRepository, repositoryFilter } from '../../app/search/repository-filter.ts';
import type { Parts } from '../../compose/parts.ts';
import { AGENTS } from '../../domain/agent/agents.ts';
import { namesOf } from '../../domain/agent/by-agent.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { identityOf } from '../../domain/point/session-points.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';

interface Selection {
  repo?: string;
  session?: string;
  since?: string;
}

/**
 * The transcripts selected by the options; null for all.
 * @throws SmartForkError SESSION_NOT_FOUND if the session or repository has none
 */
export async function selectTranscripts(
  parts: Parts,
  { repo, session, since }: Selection,
  problems: IndexReport['failed'],
): Promise<TranscriptFile[] | null> {
  if (repo === undefined && session === undefined && since === undefined) return null;
  const onProblem: OnProblem = (path, reason, kind) => {
    if (kind === undefined) problems.push({ path, reason });
  };
  const byPath = session === undefined ? undefined : inspectPath(parts, session);
  let files = byPath ? [byPath] : parts.sources.flatMap((source) => source.find(onProblem));
  if (session !== undefined && !byPath) {
    files = files.filter(({ sessionId }) => sessionId.startsWith(session.toLowerCase()));
    if (files.length === 0) throw noSuchTranscript(session);
  }
  if (repo !== undefined) files = await ofRepository(parts, files, repo);
  if (since === undefined) return files;
  const from = Date.parse(await readTime(parts, '--since', since));
  return files.filter(({ mtimeMs }) => mtimeMs >= from);
}

function inspectPath({ sources }: Parts, path: string): TranscriptFile | undefined {
  if (!/[\\/]|\.jsonl/.test(path)) return undefined;
  for (const source of sources) {
    const file = source.inspect(resolve(path));
    if (file !== null) return file;
  }
  throw noSuchTranscript(path);
}

function noSuchTranscript(session: string): SmartForkError {
  return new SmartForkError('SESSION_NOT_FOUND', `no transcript on this machine matches ${session}`, {
    hint: `Give a session id, a prefix of one, or the path of a ${namesOf(AGENTS, 'or')} transcript.`,
  });
}

/** Selects by the index and, for new transcripts, by the folder in which they began. */
async function ofRepository(parts: Parts, files: TranscriptFile[], repo: string): Promise<TranscriptFile[]> {
  const store = async () => (parts.localFile.exists() ? parts.local() : null);
  const filter = await repositoryFilter(repo, parts.probe, store);
  const known = new Set<string>();
  const indexed = await store();
  if (indexed !== null)
    for await (const { session_id } of eachSession(indexed, { repo: filter })) known.add(session_id);
  const found = files.filter((file) => {
    if (known.has(file.sessionId)) return true;
    const workingDirectory = headOf(parts, file);
    if (workingDirectory === null) return false;
    const { sessionId, agent } = file;
    const identity = identityOf(
      { sessionId, agent, machine: parts.machine.name, workingDirectory, remoteUrl: null },
      parts.probe(workingDirectory),
    );
    return matchesRepository(filter, identity) || (isPath(repo) && isWithin(workingDirectory, resolve(repo)));
  });
  if (found.length > 0) return found;
  const isMissing = isPath(repo) && !existsSync(resolve(repo));
  throw new SmartForkError(
    'SESSION_NOT_FOUND',
    isMissing
      ? `no folder ${repo}, and no transcript from it`
      : `no transcript on this machine belongs to ${repo}`,
    { hint: 'smart-fork stats lists the indexed repositories.' },
  );
}

function headOf({ sources }: Parts, file: TranscriptFile): string | null {
  return sources.find(({ agent }) => agent === file.agent)?.head(file).workingDirectory ?? null;
}

function isWithin(directory: string, folder: string): boolean {
  return [folder, realPath(folder)].some(
    (root) => directory === root || directory.startsWith(`${root}/`) || directory.startsWith(`${root}\\`),
  );
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Transcripts may name a folder that no longer exists.
    return path;
  }
}
