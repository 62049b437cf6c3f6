import type { Shift, WorkerIndex } from './worker-dependencies.ts';

/**
 * One kind of work done by the worker. A task has its own state, and is created again when the store is reopened.
 * An error that it throws counts as a failure of the store: the worker waits and retries.
 */
export interface Task {
  /** Whether there may be something to do. Called before each step, so it must be cheap. */
  isDue(): boolean;
  /** Does part of its work; false if there was nothing to do. `signal` is aborted when a job arrives or the worker must stop. */
  run(signal: AbortSignal): Promise<boolean>;
  notice?(event: WorkerEvent): void;
  /** How much longer an idle worker should stay for it, in milliseconds. */
  stayMs?(): number;
  /** Waits for background work to finish. */
  end?(): Promise<void>;
}

/** An event that one task reports to the others. */
export type WorkerEvent =
  | { kind: 'indexed'; path: string | null; grew: boolean; sessionEnded: boolean }
  /** A job did not name a transcript, so any transcript may have changed. */
  | { kind: 'anything changed' }
  | { kind: 'looked' };

export interface TaskContext extends Shift {
  opened: WorkerIndex;
  tell(event: WorkerEvent): void;
}
