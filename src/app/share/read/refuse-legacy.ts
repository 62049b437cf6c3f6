import { SmartForkError } from '../../../domain/errors.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { localIds } from '../agree/local-ids.ts';
import type { BothStores } from './read-both.ts';

/**
 * Sessions that only the Python program's collection has cannot be changed.
 * @throws SmartForkError USAGE
 */
export async function refuseLegacy(both: BothStores, ids: string[]): Promise<void> {
  const found = both.legacy?.found() ?? null;
  if (found === null || ids.length === 0) return;
  const theirs = new Set(await found.store.sessionIds());
  const localId = localIds(both);
  const here = new Set((await both.bare.getSessions(ids.map(localId))).map(({ session_id }) => session_id));
  const alone = ids.filter((id) => theirs.has(id) && !here.has(localId(id)));
  const [first] = alone;
  if (first === undefined) return;
  const which =
    alone.length === 1 ? `session ${first} is` : `${plural(alone.length, 'session')} (${first}, …) are`;
  throw new SmartForkError(
    'USAGE',
    `${which} in the Python smart-fork's collection alone, which is only read`,
    {
      hint: 'Set QDRANT_COLLECTION to another name and take its sessions over (smart-fork migrate), then try again.',
    },
  );
}
