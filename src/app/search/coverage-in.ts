import type { Coverage } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';

export async function coverageIn(store: PointStore): Promise<Coverage> {
  const [{ sessions, chunks, intents }, waiting] = await Promise.all([
    store.count(),
    store.countWithoutVector(),
  ]);
  return { sessions, chunks, intents, waiting };
}
