import { SmartForkError } from '../../domain/errors.ts';

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
