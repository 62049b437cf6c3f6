import { sep } from 'node:path';
import type { Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { type DescribeDependencies, describeTranscript } from './describe-transcript.ts';
import { withoutDuplicates } from './without-duplicates.ts';

interface RecentTranscript {
  session_id: string;
  agent: Agent;
  /** The folder in which the agent was started. */
  project_path: string;
  last_modified: string;
  jsonl_path: string;
  title: string;
}

interface RecentRequest {
  limit: number;
  agent?: Agent;
  /** Only sessions started in this folder or below it. */
  folder?: string;
  exclude?: string[];
}

const MAX_HEADS = 2000;

/** The most recently active sessions on this machine, read from their transcripts. Needs no store. */
export async function listRecentTranscripts(
  deps: DescribeDependencies,
  request: RecentRequest,
): Promise<{ found: number; sessions: RecentTranscript[] }> {
  const sources = deps.sources.filter(({ agent }) => request.agent === undefined || agent === request.agent);
  const files = withoutDuplicates(sources.flatMap((source) => source.find())).filter(
    ({ sessionId }) => request.exclude?.includes(sessionId) !== true,
  );
  const found: { file: TranscriptFile; session: SessionPayload }[] = [];
  for (const file of files.slice(0, MAX_HEADS)) {
    if (found.length >= request.limit) break;
    const session = await describe(deps, file, request.folder);
    if (session !== null) found.push({ file, session });
  }
  const titled = tellApart(found.map(({ session }) => session));
  const sessions = found.map(
    ({ file }, at): RecentTranscript => ({
      session_id: file.sessionId,
      agent: file.agent,
      project_path: titled[at]?.working_directory ?? '',
      last_modified: new Date(file.mtimeMs).toISOString(),
      jsonl_path: file.path,
      title: titled[at]?.title ?? '',
    }),
  );
  return { found: files.length, sessions };
}

async function describe(
  deps: DescribeDependencies,
  file: TranscriptFile,
  folder: string | undefined,
): Promise<SessionPayload | null> {
  try {
    const source = deps.sources.find(({ agent }) => agent === file.agent);
    const directory = source?.head(file).workingDirectory ?? null;
    if (folder !== undefined && !isWithin(directory, folder)) return null;
    const session = await describeTranscript(deps, file);
    return session === null || session.outcome === 'empty' ? null : session;
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

function isWithin(directory: string | null, folder: string): boolean {
  return directory !== null && (directory === folder || directory.startsWith(folder + sep));
}
