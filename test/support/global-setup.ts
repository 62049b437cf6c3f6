import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { buildWorkerPrograms } from './workers/build-worker-programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program run by `WorkerMachine`. */
    workerProgram: string;
  }
}

/** Builds once for all test files: dist/, and the program started by worker tests. */
export default async function setup(project: TestProject): Promise<() => void> {
  const maps = project.config.coverage.enabled ? ['--maps'] : [];
  execFileSync(process.execPath, ['build.js', ...maps], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { program, remove } = await buildWorkerPrograms();
  project.provide('workerProgram', program);
  return remove;
}
