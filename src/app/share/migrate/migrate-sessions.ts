import type { Progress } from '../../../domain/summary.ts';
import { eachSession, type PointStore } from '../../../ports/point-store.ts';
import { getSession } from '../../sessions/get-session.ts';

export interface MigrateOptions {
  /** Ids of sessions forgotten here, which are not copied. */
  without?: Set<string>;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface MigrationReport {
  /** Number of sessions in the source. */
  found: number;
  /** Number of sessions copied in this run. */
  copied: number;
  /** Number of sessions that were there already. */
  same: number;
  /** Ids of sessions that the target has in another state, or refused. */
  left: string[];
  /** Ids of sessions whose hashes differ in the target after all. */
  different: string[];
  /** Number of the source's vectors that the target lacks. */
  missingVectors: number;
  interrupted: boolean;
}

export function emptyMigration(): MigrationReport {
  const nothing = { found: 0, copied: 0, same: 0, missingVectors: 0 };
  return { ...nothing, left: [], different: [], interrupted: false };
}

/** Whether a session's texts are the same in both stores, compared point by point by hash. */
export async function hasSameTexts(one: PointStore, other: PointStore, sessionId: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([one.getHashes(sessionId), other.getHashes(sessionId)]);
  return ours.size === theirs.size && [...ours].every(([id, hash]) => theirs.get(id) === hash);
}

/** Verifies the copied sessions, except those in `settled`: the hashes of sessions and texts, and the number of vectors. */
export async function verifyMigration(
  from: PointStore,
  to: PointStore,
  report: MigrationReport,
  options: MigrateOptions,
  settled: Set<string> = new Set(),
): Promise<void> {
  const ids: string[] = [];
  for await (const session of eachSession(from)) {
    if (options.without?.has(session.session_id) === true) continue;
    if (options.signal?.aborted === true) return;
    if (settled.has(session.session_id) || report.left.includes(session.session_id)) continue;
    ids.push(session.session_id);
    const there = await getSession(to, session.session_id);
    const same =
      there?.content_hash === session.content_hash && (await hasSameTexts(from, to, session.session_id));
    if (!same) report.different.push(session.session_id);
  }
  for (let at = 0; at < ids.length; at += 500) {
    const sessionIds = ids.slice(at, at + 500);
    const [have, got] = await Promise.all(
      [from, to].map((store) => store.count({ sessionIds }, { exact: true })),
    );
    report.missingVectors += Math.max(0, (have?.vectors ?? 0) - (got?.vectors ?? 0));
  }
}
