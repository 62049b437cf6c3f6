/** Calls back with the paths of transcripts that have changed, a moment after the last change; returns how to stop. */
export type WatchTranscripts = (
  roots: string[],
  listener: (paths: string[]) => void,
) => Promise<() => Promise<void>>;
