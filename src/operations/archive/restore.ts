import { resolve } from 'node:path';
import { restoreSession } from '../../app/archive/restore-session.ts';
import { findArchivedSession } from '../../app/sessions/find-session.ts';
import { nameHere } from '../../app/sessions/name-here.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { idToType, shortId } from '../../domain/session/session-id.ts';
import { flag, sessionId, text } from '../fields.ts';
import type { Open } from '../open.ts';
import { operation } from '../operation.ts';

export const restore = operation({
  summary: 'restore a deleted transcript byte for byte',
  effect: 'writes',
  fields: {
    id: sessionId,
    to: text({
      about: 'project folder to restore the session for (default: the current folder)',
      min: 1,
      max: 4096,
    }),
    dry_run: flag({ about: 'show the result without restoring anything', alias: 'p' }),
  },
  async run(open, { id, to = '.', dry_run }, { directory: current, nameOf }) {
    const directory = resolve(current, to);
    if (!open.machine.directoryExists(directory))
      throw new SmartForkError('USAGE', `no such folder: ${directory}`, {
        hint: `Give the project folder to restore the session for: ${nameOf('to')} DIR.`,
      });
    const store = async () => (open.storeExists() ? open.store() : null);
    const session = await findArchivedSession({ store, archives: open.archives }, id);
    const deps = { ...open, threads: await open.threads() };
    const restored = await restoreSession(deps, { session, directory, dryRun: dry_run === true });
    if (restored === null) throw await notArchived(open, session);
    return restored;
  },
});

async function notArchived(
  open: Open,
  session: { session_id: string; agent: string; machine?: string },
): Promise<SmartForkError> {
  const source = open.sources.find(({ agent }) => agent === session.agent);
  const here = source?.locate(nameHere(open, session)) ?? null;
  const hint =
    here === null
      ? `The index still has its context: smart-fork retrieve ${idToType(shortId(session.session_id))}`
      : `The transcript is on this machine, so there is nothing to restore: ${here}`;
  return new SmartForkError('SESSION_NOT_FOUND', `no archived transcript of session ${session.session_id}`, {
    hint,
  });
}
