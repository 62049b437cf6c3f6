export type SealingKey = { passphrase: string } | { recipients: string[] };
/** `identities`: secret age keys. */
export type OpeningKey = { passphrase: string } | { identities: string[] };

export interface BundleEntry {
  name: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/**
 * An encrypted file with a sequence of entries.
 *
 * - `checkFree` throws if the file already exists, as `write` does.
 * - `write` is all or nothing and never overwrites a file. If aborted, it leaves nothing behind. Returns the file's size in bytes.
 * - `kind` says which key opens the file.
 * - `read` yields each entry once; read its content before asking for the next. Whatever it yields is authentic, but the file may be
 *   truncated: only a loop that ends normally has seen every entry.
 * - Throws USAGE for an existing file, a wrong key, or a file that is not a bundle; TRANSCRIPT_UNREADABLE for a damaged file or an
 *   I/O error.
 */
export interface BundleFile {
  readonly path: string;
  checkFree(): void;
  write(entries: AsyncIterable<BundleEntry>, key: SealingKey, signal: AbortSignal): Promise<number>;
  kind(): 'passphrase' | 'key';
  read(key: OpeningKey, signal: AbortSignal): AsyncIterable<BundleEntry>;
}
