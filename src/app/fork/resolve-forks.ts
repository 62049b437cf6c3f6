import type { SessionPayload } from '../../domain/point/point.ts';
import type { ForkJournal } from '../../ports/fork-journal.ts';
import type { PointStore } from '../../ports/point-store.ts';

const PATIENCE_MS = 14 * 86_400_000;
const MAX_SESSIONS = 1000;

/** Finds the sessions that earlier choices led to: forks of the chosen session that were active after the choice. */
export async function resolveForks(
  deps: { store: PointStore; journal: ForkJournal },
  now: number,
): Promise<number> {
  const waiting = deps.journal.waiting(new Date(now - PATIENCE_MS).toISOString());
  const oldest = waiting.at(-1);
  if (oldest === undefined) return 0;
  const { sessions } = await deps.store.list({ since: oldest.chosenAt }, MAX_SESSIONS);
  const taken = new Set(deps.journal.list(MAX_SESSIONS).map(({ resultSessionId }) => resultSessionId));
  let resolved = 0;
  for (const choice of waiting) {
    const result = sessions
      .filter((session) => session.parent?.session_id === choice.sessionId && !taken.has(session.session_id))
      .filter((session) => (session.ended_at ?? '') > choice.chosenAt)
      .sort(byEnd)[0];
    if (result === undefined) continue;
    taken.add(result.session_id);
    deps.journal.setResult(choice.id, result.session_id);
    resolved += 1;
  }
  return resolved;
}

function byEnd(a: SessionPayload, b: SessionPayload): number {
  return (a.ended_at ?? '') < (b.ended_at ?? '') ? -1 : 1;
}
