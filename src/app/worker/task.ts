import type { Shift, WorkerIndex } from './worker-dependencies.ts';

/**
 * One kind of work that the worker does. A task keeps its own state; it is created again when the store is opened again.
 * An error that it throws counts as a failure of the store: the worker waits and retries.
 */
export interface Task {
  /** Whether there may be something to do. Called before each step, so it must be cheap. */
  isDue(): boolean;
  /** Does part of its work; false when there was nothing to do. `signal` is aborted when a job arrives or the worker must stop. */
  run(signal: AbortSignal): Promise<boolean>;
  notice?(event: WorkerEvent): void;
  /** How much longer an idle worker should stay for it, in milliseconds. */
  stayMs?(): number;
  /** Waits for its background work. */
  end?(): Promise<void>;
}

/** What one task tells the others. */
export type WorkerEvent =
  | { kind: 'indexed'; path: string | null; grew: boolean; sessionEnded: boolean }
  /** A job named no transcript: any may have changed. */
  | { kind: 'anything changed' }
  | { kind: 'looked' };

export interface TaskContext extends Shift {
  opened: WorkerIndex;
  tell(event: WorkerEvent): void;
}
