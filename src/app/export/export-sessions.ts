import { errorText, SmartForkError } from '../../domain/errors.ts';
import { exportBody, exportHead } from '../../domain/export/export-text.ts';
import { REGISTRY, registryText } from '../../domain/export/registry-text.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Progress } from '../../domain/summary.ts';
import { sha256 } from '../../domain/text/hash.ts';
import type { ExportFolder } from '../../ports/machine.ts';
import { eachSession, type PointStore } from '../../ports/point-store.ts';
import { storedTurns } from '../sessions/conversation/stored-conversation.ts';

export interface ExportDependencies {
  store: Pick<PointStore, 'list' | 'count' | 'getChunks'>;
  folder: ExportFolder;
  /** Whether `store` has answered for all machines so far. If not, a session that it lacks may still exist. */
  isWhole: () => boolean;
  now(): number;
  /** Of this machine's sessions. */
  indexedAt(): Map<string, string>;
}

interface ExportOptions {
  /** Without a filter, files of sessions that are no longer indexed are removed. */
  filter?: SessionFilter;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface ExportReport {
  folder: string;
  written: number;
  unchanged: number;
  removed: number;
  failed: { session_id: string; reason: string }[];
  interrupted: boolean;
}

/**
 * Exports each session's redacted index content as a Markdown file, `claude/<id>.md` or `codex/<id>.md`. A file is rewritten when
 * its session has changed. `session-registry.json` beside them lists all sessions, unless only some are exported.
 */
export async function exportSessions(
  deps: ExportDependencies,
  { filter, signal, onProgress }: ExportOptions = {},
): Promise<ExportReport> {
  const { store, folder } = deps;
  const report: ExportReport = {
    folder: folder.path,
    written: 0,
    unchanged: 0,
    removed: 0,
    failed: [],
    interrupted: false,
  };
  const { sessions: total } = await store.count(filter);
  const names = new Set<string>();
  const all: SessionPayload[] = [];
  for await (const session of eachSession(store, filter)) {
    if (signal?.aborted === true) return { ...report, interrupted: true };
    names.add(exportName(session));
    all.push(session);
    await exportSession(deps, session, report);
    onProgress?.({ unit: 'session', done: names.size, total, label: session.repo_name });
  }
  if (filter === undefined && deps.isWhole()) {
    for (const name of folder.list().filter((file) => !names.has(file))) {
      folder.remove(name);
      report.removed += 1;
    }
    folder.write(REGISTRY, registryText(all, deps.indexedAt(), new Date(deps.now()).toISOString()));
  }
  return report;
}

/** The name of a session's file. A server's ids are not trusted to be valid file names. */
export function exportName({ agent, session_id }: Pick<SessionPayload, 'agent' | 'session_id'>): string {
  const name = session_id.replace(/[^\w@.-]/g, '_').replace(/^\./, '_');
  const isLong = name.length > LONGEST_NAME;
  return `${agent}/${isLong ? `${name.slice(0, LONGEST_NAME)}-${sha256(session_id).slice(0, 16)}` : name}.md`;
}

/** File systems allow 255 bytes; the name of the temporary file is longer. */
const LONGEST_NAME = 180;

async function exportSession(
  { store, folder }: ExportDependencies,
  session: SessionPayload,
  report: ExportReport,
): Promise<void> {
  const name = exportName(session);
  const head = exportHead(session);
  if (folder.startsWith(name, head)) {
    report.unchanged += 1;
    return;
  }
  try {
    const body = exportBody(await storedTurns(store, session));
    if (folder.write(name, head + body)) report.written += 1;
    else report.failed.push({ session_id: session.session_id, reason: `another program wrote ${name}` });
  } catch (error) {
    // A full disk or an unreachable server fails every session alike.
    if (error instanceof SmartForkError) throw error;
    report.failed.push({ session_id: session.session_id, reason: errorText(error) });
  }
}
