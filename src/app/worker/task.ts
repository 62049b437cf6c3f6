import type { Shift, WorkerIndex } from './worker-dependencies.ts';

/**
 * One of the things that the worker does. A task keeps its own state; it is created again when the store is opened again.
 * An error that it throws is the store's: the worker waits and tries again.
 */
export interface Task {
  /** Whether there may be something to do. Asked before each step, so it must be cheap. */
  isDue(): boolean;
  /** Does some of it; false when there was nothing to do. `signal` is aborted when a job arrives or the worker is to stop. */
  run(signal: AbortSignal): Promise<boolean>;
  notice?(event: WorkerEvent): void;
  /** How much longer an idle worker should stay for it, in milliseconds. */
  stayMs?(): number;
  /** Waits for what it does in the background. */
  end?(): Promise<void>;
}

/** What one task tells the others. */
export type WorkerEvent =
  | { kind: 'indexed'; path: string | null; grew: boolean; sessionEnded: boolean }
  /** A job names no transcript: any may have changed. */
  | { kind: 'anything changed' }
  | { kind: 'looked' };

export interface TaskContext extends Shift {
  opened: WorkerIndex;
  tell(event: WorkerEvent): void;
}
