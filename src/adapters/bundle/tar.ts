import { once } from 'node:events';
import { pipeline as pipe, type Readable, type Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Pack, pack } from 'tar-stream';
import type { BundleEntry } from '../../ports/bundle/bundle-file.ts';

/** Writes a tar archive of regular files, without owner and time, into `target`. What fails, `target` fails with. */
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
      // A reader that gives up closes the archive.
      if (!sink.write(part)) await Promise.race([once(sink, 'drain'), closed]);
    }
    sink.end();
    await closed;
    if (packed.destroyed) return;
  }
  packed.finalize();
}

/** The files in a tar archive. Anything else throws: no bundle has links or folders. */
export async function* unpackEntries(source: Readable): AsyncGenerator<BundleEntry> {
  const extracted = extract();
  const fed = pipeline(source, extracted as unknown as Writable);
  // The loop below throws the same error.
  fed.catch(() => undefined);
  try {
    for await (const entry of extracted) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file') throw new Error(`${name} is a ${type}, not a file`);
      yield { name, bytes: size, content: entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
    await fed;
  } finally {
    extracted.destroy();
    source.destroy();
  }
}
