import type { SessionPayload } from '../../domain/point/point.ts';
import { repoId, repoKey } from '../../domain/session/repository.ts';
import type { RepositoryProbe, ThisMachine } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';

export interface FolderDependencies {
  machine: ThisMachine;
  /** If absent, no folder is known to be in a repository. */
  probe?: RepositoryProbe;
}

/** Where a session continues: in its own folder, or else at the top of its repository; null if neither is on this machine. */
export function startFolder(deps: FolderDependencies, session: SessionPayload): string | null {
  const { working_directory: own, repo_path: root } = session;
  if (deps.machine.directoryExists(own)) return own;
  return isCheckout(deps, session, root) ? root : null;
}

/** As `startFolder`, or else the current folder if it is in the repository, or else a folder in it where other sessions worked. */
export async function findStartFolder(
  deps: FolderDependencies & { store: PointStore },
  session: SessionPayload,
  currentDirectory: string,
): Promise<string> {
  const near = startFolder(deps, session);
  if (near !== null) return near;
  if (sameRepository(deps, session, currentDirectory) === true) return currentDirectory;
  return (await findCheckout(deps, session)) ?? currentDirectory;
}

/** A checkout of the session's repository in which other sessions worked, or null. */
export async function findCheckout(
  deps: FolderDependencies & { store: PointStore },
  session: SessionPayload,
): Promise<string | null> {
  const { repo_id, repo_key } = session;
  const filter = { repo: { repo_id, repo_key: repo_key ?? undefined } };
  const { sessions } = await deps.store.list(filter, MAX_SESSIONS);
  const roots = new Set(sessions.map(({ repo_path }) => repo_path));
  return [...roots].find((root) => isCheckout(deps, session, root)) ?? null;
}

const MAX_SESSIONS = 100;

function isCheckout(deps: FolderDependencies, session: SessionPayload, folder: string): boolean {
  return deps.machine.directoryExists(folder) && sameRepository(deps, session, folder) === true;
}

/** Whether a folder is in the session's repository; null if either repository is unknown. */
export function sameRepository(
  { probe }: Pick<FolderDependencies, 'probe'>,
  session: SessionPayload,
  folder: string,
): boolean | null {
  const repository = probe?.(folder) ?? null;
  if (repository === null) return session.repo_key === null ? null : false;
  const key = repository.remoteUrl === null ? null : repoKey(repository.remoteUrl);
  if (key !== null && session.repo_key !== null) return key === session.repo_key;
  return repoId(repository.root) === session.repo_id || null;
}
