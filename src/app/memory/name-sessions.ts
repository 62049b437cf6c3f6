import type { IdeaView, LaterView, RelationView } from '../../domain/memory/memory-result.ts';
import type { PointStore } from '../../ports/point-store.ts';

/** Writes beside each session's id in these ideas what the session is called. */
export async function nameSessions(
  store: Pick<PointStore, 'getSessions'>,
  ideas: { idea: IdeaView; relations: RelationView[] }[],
  known: Map<string, { title: string }>,
  laters: LaterView[] = [],
): Promise<void> {
  const views = [
    ...ideas.flatMap(({ idea, relations }) => [idea, ...relations.map((one) => one.idea)]),
    ...laters,
  ];
  const missing = new Set(
    views.map(({ session_id }) => session_id).filter((id) => id !== '' && !known.has(id)),
  );
  const others = missing.size === 0 ? [] : await store.getSessions([...missing]);
  const named = new Map([...known, ...others.map((one) => [one.session_id, one] as const)]);
  for (const view of views) view.session_title = named.get(view.session_id)?.title;
}
