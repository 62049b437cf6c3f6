import type { TranscriptHead } from '../../../ports/transcript-source.ts';
import { asId, asNumber, asRecord, asText, asTime, parseJson } from '../../jsonl/read-value.ts';
import { readFirstLine } from '../files/read-file.ts';

/** See TranscriptSource.head. A fork's fingerprint is its parent's id; any other session's is its own. */
export function readHead(path: string): TranscriptHead {
  const meta = readMeta(path);
  return { fingerprint: meta?.parentId ?? meta?.id ?? null, workingDirectory: meta?.cwd ?? null };
}

/** The content of a transcript's first line. Later `session_meta` lines are copied from other sessions. */
export interface SessionMeta {
  id: string;
  cwd: string | null;
  branch: string | null;
  /** URL of the git remote, without credentials. */
  remote: string | null;
  version: string | null;
  timestamp: string | null;
  /** The session that this one was forked from or, for a subagent, the session that started it. */
  parentId: string | null;
  /** Set for a fork without a copy of its history: it continues its parent's lines below this ordinal. */
  base: HistoryBase | null;
}

interface HistoryBase {
  parentId: string;
  endOrdinal: number;
}

/** Null if the file is not a Codex transcript. */
export function readMeta(path: string): SessionMeta | null {
  const line = readFirstLine(path)?.toString('utf8');
  if (!line?.includes('"session_meta"')) return null;
  const object = asRecord(parseJson(line));
  const payload = asRecord(object?.payload);
  const id = asId(payload?.id);
  if (object?.type !== 'session_meta' || payload === null || id === null) return null;
  const git = asRecord(payload.git);
  const remote = asText(git?.repository_url);
  return {
    id,
    cwd: asText(payload.cwd),
    branch: asText(git?.branch),
    remote: remote === null ? null : withoutCredentials(remote),
    version: asText(payload.cli_version),
    timestamp: asTime(payload.timestamp) ?? asTime(object.timestamp),
    parentId: parentOf(id, payload),
    base: baseOf(payload),
  };
}

function parentOf(id: string, payload: Record<string, unknown>): string | null {
  const spawn = asRecord(asRecord(asRecord(payload.source)?.subagent)?.thread_spawn);
  const parentId =
    asId(payload.forked_from_id) ?? asId(spawn?.parent_thread_id) ?? asId(payload.parent_thread_id);
  return parentId === id ? null : parentId;
}

function baseOf(payload: Record<string, unknown>): HistoryBase | null {
  const base = asRecord(payload.history_base);
  const parentId = asId(payload.forked_from_id) ?? asId(base?.thread_id);
  const endOrdinal = asNumber(payload.forked_from_ordinal_exclusive) ?? asNumber(base?.end_ordinal_exclusive);
  return parentId === null || endOrdinal === null ? null : { parentId, endOrdinal };
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^@/]*@/i, '$1');
}
