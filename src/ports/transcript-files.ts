/** A file that is there, as `stat` shows it. */
export interface PresentFile {
  size: number;
  mtimeMs: number;
}

/**
 * Transcripts that smart-fork writes: where an agent finds them, or for a moment to be read.
 *
 * - A file appears whole or not at all, and only once all its parts came: an iterable that throws leaves nothing.
 * - Files are their owner's alone.
 * - Throws SmartForkError TRANSCRIPT_UNREADABLE that names the path when something cannot be written.
 */
export interface TranscriptFiles {
  /** Null when there is none. */
  look(path: string): PresentFile | null;
  /**
   * `replaces` is the file that is to give way, as it was when it was looked at: another one, or one where none is expected,
   * is left alone and reported.
   */
  write(path: string, parts: AsyncIterable<Uint8Array>, replaces: PresentFile | null): Promise<void>;
  /** Lends a folder that is deleted when the work is done. */
  borrowFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  remove(path: string): void;
}
