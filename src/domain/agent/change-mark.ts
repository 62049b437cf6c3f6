/**
 * Shows whether a transcript has changed, without reading it. Files have size, time and inode. A source without files of its own gives
 * the messages and time of the session, inode 0, and a revision, which differs after every change.
 */
export interface ChangeMark {
  /** Bytes; of a session in a database, the number of its messages. */
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
  /** A file with another inode is another file, which is read from its beginning. */
  inode: number;
  revision?: string;
}

export function isSameMark(one: ChangeMark | undefined, other: ChangeMark): boolean {
  return (
    one !== undefined &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.inode === other.inode &&
    one.revision === other.revision
  );
}

export function markOf({ size, mtimeMs, inode, revision }: ChangeMark): ChangeMark {
  return { size, mtimeMs, inode, revision };
}
