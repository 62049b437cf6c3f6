import type { TranscriptHead } from '../../../ports/transcript-source.ts';
import { asId, asNumber, asRecord, asText, asTime, parseJson } from '../../jsonl/read-value.ts';
import { type Rollouts, readFirstLine, readLines } from '../files/read-file.ts';

/** See TranscriptSource.head. A fork's fingerprint is its parent's id; any other session's is its own. */
export function readHead(files: Rollouts): TranscriptHead {
  const meta = readMeta(files);
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
  /** The rollout that this one continues, by the id in its name: another session's or an earlier one of this thread. */
  continues: string | null;
}

interface HistoryBase {
  parentId: string;
  endOrdinal: number;
}

/** Null if the file is not a Codex transcript. */
export function readMeta(files: Rollouts): SessionMeta | null {
  const line = readFirstLine(files)?.toString('utf8');
  if (line === undefined) return null;
  if (!line.includes('"session_meta"')) return readBareMeta(files, line);
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
    base: baseOf(id, payload),
    continues: asId(asRecord(payload.history_base)?.thread_id),
  };
}

/** The first line of a transcript of 2025: an id, a time, and the instructions. The folder is in a message below. */
function readBareMeta(files: Rollouts, line: string): SessionMeta | null {
  const object = line.includes('"instructions"') ? asRecord(parseJson(line)) : null;
  const [id, timestamp] = [asId(object?.id), asTime(object?.timestamp)];
  if (object === null || id === null || timestamp === null || object.type !== undefined) return null;
  const git = asRecord(object.git);
  const remote = asText(git?.repository_url);
  return {
    id,
    cwd: folderBelow(files),
    branch: asText(git?.branch),
    remote: remote === null ? null : withoutCredentials(remote),
    version: null,
    timestamp,
    parentId: null,
    base: null,
    continues: null,
  };
}

function folderBelow(files: Rollouts): string | null {
  let folder: string | null = null;
  readLines(files, 0, 0, (line, number) => {
    const text = line.includes('environment_context') ? line.toString('utf8') : '';
    folder = /<cwd>([^<"]+)<|Current working directory: ([^\\"]+)/.exec(text)?.slice(1).find(Boolean) ?? null;
    return folder === null && number < MAX_LINES;
  });
  return folder;
}

/** The environment is in the first message to the model. */
const MAX_LINES = 8;

function parentOf(id: string, payload: Record<string, unknown>): string | null {
  const spawn = asRecord(asRecord(asRecord(payload.source)?.subagent)?.thread_spawn);
  const parentId =
    asId(payload.forked_from_id) ?? asId(spawn?.parent_thread_id) ?? asId(payload.parent_thread_id);
  return parentId === id ? null : parentId;
}

function baseOf(id: string, payload: Record<string, unknown>): HistoryBase | null {
  const base = asRecord(payload.history_base);
  const parentId = asId(payload.forked_from_id) ?? asId(base?.thread_id);
  const endOrdinal = asNumber(payload.forked_from_ordinal_exclusive) ?? asNumber(base?.end_ordinal_exclusive);
  return parentId === null || parentId === id || endOrdinal === null ? null : { parentId, endOrdinal };
}

function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^@/]*@/i, '$1');
}
