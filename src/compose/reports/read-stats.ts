import { archiveSize } from '../../app/archive/archive-size.ts';
import { sessionStats } from '../../app/search/session-stats.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Stats } from '../../operations/reports.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type Parts, storePlace } from '../parts.ts';

/**
 * Statistics of the index, on this machine and on the server.
 * @param seen the store of a caller who may not see everything
 */
export async function readStats(parts: Parts, filter: SessionFilter, seen?: PointStore): Promise<Stats> {
  const deps = {
    store: seen ?? (await parts.store()),
    state: parts.state(),
    ...storePlace(parts.config),
    archive: await archiveSize(parts.archive, parts.config.archive),
  };
  const stats = await sessionStats(deps, filter);
  // The paths of transcripts name other projects.
  return { ...stats, unread: seen === undefined ? stats.unread : [], server: await readServer(parts) };
}

async function readServer(parts: Parts): Promise<Stats['server']> {
  const sharing = await parts.sharing();
  if (sharing === null) return null;
  const state = await sharing.state();
  // A server that did not answer is not asked again.
  return { ...state, archive: state.sessions === null ? null : await sharing.archiveSize() };
}
