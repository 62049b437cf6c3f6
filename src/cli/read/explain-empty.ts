import { countFilters } from '../../app/search/count-filters.ts';
import { countNamesakes } from '../../app/search/repository-filter.ts';
import type { Parts } from '../../compose/parts.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { filterLines } from '../search/no-result-lines.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** Why a list with filters is empty. */
export async function explainEmpty(
  { store, probe }: { store: PointStore; probe: Parts['probe'] },
  filter: SessionFilter,
  repo: string | undefined,
  look: Look,
): Promise<string> {
  const ink = createInk(look);
  const filters = await countFilters(store, filter);
  const { sessions } = await store.count();
  if (filters.length === 0) {
    // The records of all may be damaged; notices name them.
    const text =
      sessions === 0
        ? 'Nothing is indexed yet. Run: smart-fork index'
        : `No record of the ${plural(sessions, 'indexed session')} can be read.`;
    return wrap(text, ink.columns).join('\n');
  }
  const isElsewhere = filters.some((one) => one.filter === 'repo' && one.sessions === 0);
  const namesakes = repo === undefined || !isElsewhere ? null : await countNamesakes(repo, probe, store);
  const lines = filterLines({ filters, sessions }, ink).slice(1);
  if (namesakes === null) return lines.join('\n');
  const name = sanitizeLine(namesakes.name);
  const hint = `${plural(namesakes.sessions, 'session')} of a repository called ${name} in another folder: --repo ${name}`;
  return [...lines, ...wrap(hint, ink.columns)].join('\n');
}
