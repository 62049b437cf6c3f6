import { SmartForkError } from '../../domain/errors.ts';
import type { ServiceJob } from '../../domain/service/service-job.ts';
import { sha256 } from '../../domain/text/hash.ts';
import type { SettingsFiles } from '../../ports/agent-settings.ts';
import type { ServiceManager, ServiceNotes } from '../../ports/service/service-manager.ts';

export interface ServiceDependencies {
  manager: ServiceManager;
  files: SettingsFiles;
  notes: ServiceNotes;
  fileExists(path: string): boolean;
}

/** A change to the service's file. Null stands for a file that does not exist. */
export interface ServicePlan {
  path: string;
  before: string | null;
  after: string | null;
  /** The file exists but is not as `install` wrote it. */
  isForeign: boolean;
}

/** The changes that `service install` would make. Writes nothing. */
export function planService(deps: ServiceDependencies, job: ServiceJob): ServicePlan {
  return planFor(deps, deps.manager.text(job));
}

export function planRemoval(deps: ServiceDependencies): ServicePlan {
  return planFor(deps, null);
}

/** Writes the file and starts the service, or restores both on failure. Returns the backup of a file that was not ours. */
export async function installService(
  { manager, files, notes }: ServiceDependencies,
  { path, before, after, isForeign }: ServicePlan,
  programs: string[],
): Promise<string | null> {
  const backup = isForeign && before !== after ? files.backUp(path) : null;
  const known = notes.load();
  const wasRegistered = before !== null && (await manager.isRegistered());
  // Recorded first: a record of something that did not happen does no harm.
  notes.save({ path, written: sha256(after ?? ''), programs });
  try {
    files.write(path, after);
    await manager.start();
    return backup;
  } catch (error) {
    if (files.read(path) === after && before !== after) {
      // A partial registration can only be undone while the file exists.
      await manager.stop().catch(() => undefined);
      files.write(path, before);
      if (wasRegistered) await manager.start().catch(() => undefined);
    }
    notes.save(known);
    throw error;
  }
}

/**
 * Stops the service and removes its file.
 * @throws SmartForkError USAGE for a file that is not as it was written, unless forced
 */
export async function removeService(
  { manager, files, notes }: ServiceDependencies,
  { path, before, isForeign }: ServicePlan,
  force: boolean,
): Promise<void> {
  if (isForeign && !force) throw changedFile(path);
  if (before !== null) {
    await manager.stop();
    files.write(path, null);
  }
  notes.save(null);
}

export function changedFile(path: string): SmartForkError {
  return new SmartForkError('USAGE', `${path} was changed since smart-fork wrote it; it was not removed`, {
    hint: 'Review it, then remove it anyway: smart-fork service uninstall --force',
  });
}

function planFor({ manager, files, notes }: ServiceDependencies, after: string | null): ServicePlan {
  const { path } = manager;
  const before = files.read(path);
  const known = notes.load();
  const isOurs = known?.path === path && before !== null && known.written === sha256(before);
  return { path, before, after, isForeign: before !== null && before !== after && !isOurs };
}
