/** A change while the server is running. */
export type LiveEvent =
  | {
      event: 'session';
      data: { session_id: string; turn_count?: number; message_count: number; ended_at: string | null };
    }
  | { event: 'index'; data: IndexProgress };

export interface IndexProgress {
  state: string;
  /** Number of transcripts to be indexed. */
  jobs: number;
  sessions: number;
  waiting: { intents: number; chunks: number };
}

export interface LiveEvents {
  publish(event: LiveEvent): void;
  /** Returns a function that stops listening; null if there are too many listeners. */
  listen(listener: (event: LiveEvent) => void): (() => void) | null;
  readonly listeners: number;
}

const MAX_LISTENERS = 50;

export function createLiveEvents(): LiveEvents {
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      if (listeners.size >= MAX_LISTENERS) return null;
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get listeners() {
      return listeners.size;
    },
  };
}
