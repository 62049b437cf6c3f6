import { sep } from 'node:path';
import { SmartForkError } from '../domain/errors.ts';
import type { Agent } from '../domain/session.ts';
import { titleOfDraft } from '../domain/session-draft.ts';
import type { TranscriptFile, TranscriptSource } from '../ports/transcript-source.ts';
import { readTurns } from './read-conversation.ts';

export interface RecentTranscript {
  session_id: string;
  agent: Agent;
  /** Where the agent was started. */
  project_path: string;
  last_modified: string;
  jsonl_path: string;
  /** Null for a transcript that is too long to be read for it. */
  title: string | null;
}

export interface RecentRequest {
  limit: number;
  agent?: Agent;
  /** Only sessions that were started in this folder or below it. */
  folder?: string;
  exclude?: string[];
}

const MOST_HEADS = 2000;
const LONGEST_READ = 16_000_000;

/** The sessions of this machine that were written last, read from the transcripts themselves: needs no store. */
export function listRecentTranscripts(
  sources: TranscriptSource[],
  request: RecentRequest,
): { found: number; sessions: RecentTranscript[] } {
  const files = sources
    .filter(({ agent }) => request.agent === undefined || agent === request.agent)
    .flatMap((source) => source.find())
    .filter(({ sessionId }) => request.exclude?.includes(sessionId) !== true)
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  const sessions: RecentTranscript[] = [];
  for (const file of files.slice(0, MOST_HEADS)) {
    if (sessions.length >= request.limit) break;
    const source = sources.find(({ agent }) => agent === file.agent);
    const recent = source === undefined ? null : describe(source, file, request.folder);
    if (recent !== null) sessions.push(recent);
  }
  return { found: files.length, sessions };
}

function describe(source: TranscriptSource, file: TranscriptFile, folder?: string): RecentTranscript | null {
  try {
    const directory = source.head(file).workingDirectory;
    if (folder !== undefined && !isWithin(directory, folder)) return null;
    return {
      session_id: file.sessionId,
      agent: file.agent,
      project_path: directory ?? '',
      last_modified: new Date(file.mtimeMs).toISOString(),
      jsonl_path: file.path,
      title: file.size > LONGEST_READ ? null : titleOfDraft(readTurns(source, file.path).draft).title,
    };
  } catch (error) {
    if (error instanceof SmartForkError) return null;
    throw error;
  }
}

function isWithin(directory: string | null, folder: string): boolean {
  return directory !== null && (directory === folder || directory.startsWith(folder + sep));
}
