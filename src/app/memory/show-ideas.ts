import { commandLine } from '../../domain/machine/shell.ts';
import type { SessionIdeas } from '../../domain/memory/memory-result.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type LocateDependencies, locateSession } from '../sessions/locate-session.ts';
import { toSessionCard } from '../sessions/session-card.ts';
import { ideaView } from './idea-view.ts';
import { nameSessions } from './name-sessions.ts';
import type { RelatedIdeas } from './related-ideas.ts';

/** Prepares ideas for display, by session in the order of each session's first idea. */
export async function showIdeas(
  deps: LocateDependencies & { store: PointStore },
  ideas: IdeaPayload[],
  related: RelatedIdeas,
): Promise<SessionIdeas[]> {
  const ids = [...new Set(ideas.map(({ session_id }) => session_id))];
  const sessions = new Map(tellApart(await deps.store.getSessions(ids)).map((one) => [one.session_id, one]));
  const shown = ids.flatMap((id) => {
    const session = sessions.get(id);
    if (session === undefined) return [];
    const own = ideas.filter(({ session_id }) => session_id === id);
    return [
      {
        session: toSessionCard(session, locateSession(deps, session)),
        ideas: own.map((idea) => ({
          ...ideaView(related.now(idea)),
          relations: related.of(idea),
          fork_command: forkAt(id, idea.turn, deps.machine.shell),
        })),
      },
    ];
  });
  const views = shown.flatMap((one) => one.ideas.map((idea) => ({ idea, relations: idea.relations })));
  await nameSessions(deps.store, views, sessions);
  return shown;
}

/** The command that forks a session at a turn, counted from 0. */
export function forkAt(
  sessionId: string,
  turn: number | null,
  shell: LocateDependencies['machine']['shell'],
): string {
  const at = turn === null ? [] : ['--at', String(turn + 1)];
  return commandLine(['smart-fork', 'fork', sessionId, ...at], null, shell);
}
