import { inject } from 'vitest';
import type { Programs } from './build-worker-programs.ts';

export type { Programs } from './build-worker-programs.ts';

/** The program that the run was set up with; nothing is built here. */
export async function buildPrograms(): Promise<Programs> {
  return { program: inject('workerProgram'), remove: () => undefined };
}
