import { SmartForkError } from '../../domain/errors.ts';

/** Whether a program that answers by its exit code says yes. */
export function succeeds(run: Promise<void>): Promise<boolean> {
  return run.then(
    () => true,
    (error) => {
      if (error instanceof SmartForkError) return false;
      throw error;
    },
  );
}
