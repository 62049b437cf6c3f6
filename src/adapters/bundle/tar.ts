import { once } from 'node:events';
import { pipeline as pipe, Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Pack, pack } from 'tar-stream';
import type { BundleEntry } from '../../ports/bundle/bundle-file.ts';

/** Writes a tar archive of regular files, without owner and time, into `target`. Errors destroy `target`. */
export function packEntries<T extends Transform>(entries: AsyncIterable<BundleEntry>, target: T): T {
  const packed = pack();
  pipe(packed as unknown as Readable, target, () => undefined);
  fill(packed, entries).catch((error) => target.destroy(error));
  return target;
}

async function fill(packed: Pack, entries: AsyncIterable<BundleEntry>): Promise<void> {
  for await (const { name, bytes, content } of entries) {
    const sink = packed.entry({ name, size: bytes, mode: 0o600, mtime: new Date(0) }) as unknown as Writable;
    const closed = once(sink, 'close');
    for await (const part of content) {
      if (sink.destroyed) break;
      // A reader that stops early closes the archive.
      if (!sink.write(part)) await Promise.race([once(sink, 'drain'), closed]);
    }
    sink.end();
    await closed;
    if (packed.destroyed) return;
  }
  packed.finalize();
}

/** The parser reads a file's extended attributes completely before the file; a valid bundle has fewer bytes of them. Stream buffers are smaller too. */
const MAX_UNREAD = 1024 * 1024;

/** The files in a tar archive. Throws for links and folders, which no bundle contains. */
export async function* unpackEntries(source: Readable): AsyncGenerator<BundleEntry> {
  const extracted = extract();
  let unread = 0;
  async function* metered() {
    for await (const part of source) {
      unread += part.length;
      if (unread > MAX_UNREAD) throw new Error('it has a header of more than 1 MB');
      yield part;
    }
  }
  async function* contentOf(entry: AsyncIterable<Uint8Array>) {
    for await (const part of entry) {
      unread -= part.length;
      yield part;
    }
  }
  const fed = pipeline(Readable.from(metered(), { objectMode: false }), extracted as unknown as Writable);
  // The loop below throws the same error.
  fed.catch(() => undefined);
  try {
    for await (const entry of extracted) {
      unread = 0;
      const { name, size = 0, type } = entry.header;
      if (type !== 'file') throw new Error(`${name} is a ${type}, not a file`);
      const content = contentOf(entry as AsyncIterable<Uint8Array>);
      yield { name, bytes: size, content };
      for await (const _ of content);
    }
    await fed;
  } finally {
    extracted.destroy();
    source.destroy();
  }
}
