import { inject } from 'vitest';
import type { Programs } from './build-worker-programs.ts';

export type { Programs } from './build-worker-programs.ts';

/** The program from the global setup; builds nothing. */
export async function buildPrograms(): Promise<Programs> {
  return { program: inject('workerProgram'), remove: () => undefined };
}
