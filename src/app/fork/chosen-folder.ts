import { resolve } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { ThisMachine } from '../../ports/machine.ts';

/**
 * The path of the folder that the user chose for a fork; null if none was chosen.
 * @throws SmartForkError USAGE if there is no such folder
 */
export function chosenFolder(
  { machine }: { machine: ThisMachine },
  folder: string | undefined,
  currentDirectory: string,
): string | null {
  if (folder === undefined) return null;
  const path = resolve(currentDirectory, folder);
  if (machine.directoryExists(path)) return path;
  throw new SmartForkError('USAGE', `no such folder: ${path}`, {
    hint: 'The folder must be on this machine.',
  });
}
