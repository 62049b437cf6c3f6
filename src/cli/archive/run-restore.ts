import { resolve } from 'node:path';
import { restoreSession } from '../../app/archive/restore-session.ts';
import { findArchivedSession } from '../../app/sessions/find-session.ts';
import { nameHere } from '../../app/sessions/name-here.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { idToType, shortId } from '../../domain/session/session-id.ts';
import type { CommandContext } from '../run-command.ts';
import { renderRestored } from './render-restored.ts';

interface RestoreOptions {
  id: string;
  to?: string;
  print?: boolean;
  json?: boolean;
}

export async function runRestore(
  { parts, terminal }: CommandContext,
  options: RestoreOptions,
): Promise<void> {
  const directory = resolve(options.to ?? '.');
  if (!parts.machine.directoryExists(directory)) {
    throw new SmartForkError('USAGE', `no such folder: ${directory}`, {
      hint: 'Give the project folder to restore the session for: --to DIR.',
    });
  }
  const store = async () => (parts.storeExists() ? parts.store() : null);
  const session = await findArchivedSession({ store, archives: parts.archives }, options.id);
  const restored = await restoreSession(parts, { session, directory, dryRun: options.print === true });
  if (restored === null) throw notArchived(parts, session);
  terminal.out(options.json === true ? JSON.stringify(restored) : renderRestored(restored, terminal));
}

function notArchived(
  parts: CommandContext['parts'],
  session: { session_id: string; agent: string; machine?: string },
): SmartForkError {
  const id = shortId(session.session_id);
  const source = parts.sources.find(({ agent }) => agent === session.agent);
  const here = source?.locate(nameHere(parts, session)) ?? null;
  const hint =
    here === null
      ? `The index still has its context: smart-fork retrieve ${idToType(id)}`
      : `The transcript is on this machine, so there is nothing to restore: ${here}`;
  return new SmartForkError('SESSION_NOT_FOUND', `no archived transcript of session ${session.session_id}`, {
    hint,
  });
}
