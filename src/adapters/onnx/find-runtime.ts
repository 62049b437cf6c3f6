import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The package that runs models. It is not a dependency: it takes 290 MB, and its install script downloads CUDA libraries. */
export const RUNTIME = 'onnxruntime-node';

/** The version that `runtime/package.json` pins. */
export const RUNTIME_VERSION = '1.30.0';

/** The runtime's path, in the folder into which `model pull` installs it or among smart-fork's packages; null if there is none. */
export function findRuntime(home: string): string | null {
  return resolveFrom(join(home, 'package.json')) ?? resolveFrom(import.meta.url);
}

function resolveFrom(file: string): string | null {
  try {
    return createRequire(file).resolve(RUNTIME);
  } catch {
    // Not installed there.
    return null;
  }
}
