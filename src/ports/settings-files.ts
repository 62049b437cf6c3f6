/** The files of other programs that init changes. Errors are CONFIG_INVALID and name the file. */
export interface SettingsFiles {
  /** Null when there is none. A file that is not UTF-8 is refused: writing it back would change it. */
  read(path: string): string | null;
  /**
   * Replaces the file as a whole or not at all; null deletes it. Its permissions stay, a new file is its owner's alone.
   * Where the path is a link, the file it leads to is replaced.
   */
  write(path: string, text: string | null): void;
  /** Copies the file beside itself, readable by its owner alone, and returns the copy's path. */
  backUp(path: string): string;
  delete(path: string): void;
}
