import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { getSession } from './get-session.ts';

const MOST_SHOWN = 5;

/**
 * The session of an id or of a prefix that only one id has.
 * @throws SmartForkError SESSION_NOT_FOUND
 */
export async function findSession(store: PointStore, idOrPrefix: string): Promise<SessionPayload> {
  const prefix = idOrPrefix.trim();
  const exact = prefix === '' ? null : await getSession(store, prefix);
  if (exact !== null) return exact;
  const found = prefix === '' ? [] : await store.findByIdPrefix(prefix.toLowerCase(), MOST_SHOWN + 1);
  const only = found[0];
  if (found.length === 1 && only !== undefined) return only;
  if (only === undefined) {
    throw new SmartForkError(
      'SESSION_NOT_FOUND',
      `no indexed session has an id that begins with "${prefix}"`,
      {
        hint: 'smart-fork sessions lists them; smart-fork index adds new ones.',
      },
    );
  }
  const ids = found.slice(0, MOST_SHOWN).map(({ session_id }) => session_id);
  throw new SmartForkError(
    'SESSION_NOT_FOUND',
    `"${prefix}" is the beginning of several ids: ${ids.join(', ')}${found.length > MOST_SHOWN ? ', …' : ''}`,
    {
      hint: 'Give a few more characters.',
    },
  );
}
