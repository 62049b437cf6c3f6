/** What seals a bundle. */
export type SealingKey = { passphrase: string } | { recipients: string[] };
/** What opens one. `identities`: secret keys of age. */
export type OpeningKey = { passphrase: string } | { identities: string[] };

export interface BundleEntry {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * A file with entries in order, sealed.
 *
 * - `checkFree` throws if a file is in the way, as `write` does.
 * - `write` makes the whole file or none; it replaces no file. Aborted, it leaves nothing. Returns the file's size.
 * - `kind` says what opens the file.
 * - `read` yields each entry once; its content must be read before the next. Nothing that is yielded was changed since it was
 *   sealed, but the end may be missing: only a loop that ends by itself has seen all.
 * - Throws USAGE for a file in the way, a wrong key, and what is no bundle; TRANSCRIPT_UNREADABLE for a damaged file, or one that
 *   cannot be read or written.
 */
export interface BundleFile {
  readonly path: string;
  checkFree(): void;
  write(entries: AsyncIterable<BundleEntry>, key: SealingKey, signal: AbortSignal): Promise<number>;
  kind(): 'passphrase' | 'key';
  read(key: OpeningKey, signal: AbortSignal): AsyncIterable<BundleEntry>;
}
