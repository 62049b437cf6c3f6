import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorText, SmartForkError } from '../../domain/errors.ts';

const TIMEOUT_MS = 60_000;

export type RunProgram = (words: string[]) => Promise<void>;

/** @param program absolute path; null if there is none. */
export function programRunner(name: string, program: string | null, env: NodeJS.ProcessEnv): RunProgram {
  return async (words) => {
    if (program === null) {
      throw new SmartForkError('STORE_UNAVAILABLE', `${name} is not installed`, {
        hint: 'The service needs it. Start the server yourself instead: smart-fork serve',
      });
    }
    try {
      await promisify(execFile)(program, words, { timeout: TIMEOUT_MS, windowsHide: true, env });
    } catch (error) {
      throw new SmartForkError('STORE_UNAVAILABLE', `${name} ${words.join(' ')} failed: ${reasonOf(error)}`, {
        hint: 'Run the command yourself to see why.',
        cause: error,
      });
    }
  };
}

function reasonOf(error: unknown): string {
  const { stderr = '' } = error as { stderr?: string };
  return stderr.trim() || errorText(error);
}

/** Whether a program exits with 0. */
export function succeeds(run: Promise<void>): Promise<boolean> {
  return run.then(
    () => true,
    (error) => {
      if (error instanceof SmartForkError) return false;
      throw error;
    },
  );
}
