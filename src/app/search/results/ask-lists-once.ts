import type { PointStore, SessionPage } from '../../../ports/point-store.ts';

/** Caches lists for one search: results from the same repository ask for the same sessions. */
export function askListsOnce(store: PointStore): PointStore {
  const asked = new Map<string, Promise<SessionPage>>();
  return {
    ...store,
    list(filter, limit, cursor) {
      const question = JSON.stringify([filter, limit, cursor]);
      const answer = asked.get(question) ?? store.list(filter, limit, cursor);
      asked.set(question, answer);
      return answer;
    },
  };
}
