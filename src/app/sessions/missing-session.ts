import { SmartForkError } from '../../domain/errors.ts';
import { unavailable } from '../../domain/outage.ts';
import { damagedIn, type PointStore, type SharedStore } from '../../ports/point-store.ts';

const MAX_SHOWN = 5;

/** The error for an id that no readable session has, or begins with. */
export async function missing(store: PointStore | SharedStore, prefix: string): Promise<SmartForkError> {
  const damaged = await damagedSession(store, prefix);
  if (damaged !== null) return damaged;
  const outage = 'outage' in store ? store.outage() : null;
  if (outage === null || outage.code === 'COLLECTION_MISSING') return notFound(prefix);
  return unavailable(outage, `no session on this machine has an id that begins with "${prefix}"`);
}

export function notFound(prefix: string): SmartForkError {
  return new SmartForkError(
    'SESSION_NOT_FOUND',
    `no indexed session has an id that begins with "${prefix}"`,
    {
      hint: 'smart-fork sessions lists ids; smart-fork index adds new ones, and a fork once its conversation goes on.',
    },
  );
}

export function ambiguous(prefix: string, ids: string[]): SmartForkError {
  const shown = ids.slice(0, MAX_SHOWN).join(', ') + (ids.length > MAX_SHOWN ? ', …' : '');
  return new SmartForkError('SESSION_NOT_FOUND', `"${prefix}" is a prefix of several ids: ${shown}`, {
    hint: 'Give more characters of the id.',
  });
}

/** The error for a session whose record is damaged; null if none has this id, or one that begins with it. */
async function damagedSession(
  store: PointStore | SharedStore,
  idOrPrefix: string,
): Promise<SmartForkError | null> {
  const [id, ...others] = await damagedIds(store, idOrPrefix);
  if (id === undefined) return null;
  if (others.length > 0) return ambiguous(idOrPrefix, [id, ...others]);
  return new SmartForkError(
    'SESSION_NOT_FOUND',
    `the record of session ${id} is damaged and cannot be read`,
    {
      hint: `smart-fork index --session ${id} --force writes it again from its transcript; smart-fork forget ${id} removes it.`,
    },
  );
}

/** Ids of the sessions with damaged records whose id begins with this. */
export async function damagedIds(store: PointStore | SharedStore, idOrPrefix: string): Promise<string[]> {
  const wanted = idOrPrefix.trim().toLowerCase();
  if (wanted === '') return [];
  return (await damagedIn(store))
    .map(({ session_id }) => session_id)
    .filter((id) => id.toLowerCase().startsWith(wanted));
}
