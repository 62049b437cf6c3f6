import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';
import { buildWorkerProgram } from './workers/build-worker-program.ts';

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
  const { program, remove } = await buildWorkerProgram();
  project.provide('workerProgram', program);
  return remove;
}
