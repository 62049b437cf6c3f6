import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompressPart } from '../../../src/adapters/archive/compress-part.ts';
import { readServerManifest } from '../../../src/adapters/archive/server-manifest.ts';
import { transcriptHash } from '../../../src/domain/point/session-points.ts';
import { MAX_SHARED_BYTES, PART_BYTES } from '../../../src/ports/session-archive.ts';

/** A consistent manifest. */
function manifestOf(sizes: number[]): Uint8Array {
  const parts = sizes.map((bytes, at) => ({
    digest: at.toString(16).padStart(64, '0'),
    bytes,
    storedBytes: 20,
  }));
  const contentHash = transcriptHash(parts.map(({ digest }) => digest));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const manifest = {
    version: 1,
    sessionId: 'a',
    agent: 'claude',
    bytes,
    contentHash,
    rules: 'r',
    places: 0,
    parts,
    original: { bytes, contentHash },
  };
  return Buffer.from(JSON.stringify(manifest));
}

describe('sizes declared by an archive', () => {
  it('stops decompressing a part at the size declared in its manifest', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(4 * PART_BYTES));
    await expect(decompressPart(bomb, 1000)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
    await expect(decompressPart(bomb, 1e12)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
    const small = Buffer.from('a transcript');
    expect(await decompressPart(brotliCompressSync(small), small.length)).toEqual(small);
  });

  it('rejects a server’s manifest that announces more than a transcript may have', () => {
    const most = MAX_SHARED_BYTES / PART_BYTES;
    expect(readServerManifest(manifestOf(new Array(10_240).fill(PART_BYTES)))).toBeNull();
    expect(readServerManifest(manifestOf(new Array(most + 1).fill(PART_BYTES)))).toBeNull();
    expect(readServerManifest(manifestOf(new Array(most).fill(PART_BYTES)))?.bytes).toBe(MAX_SHARED_BYTES);
  });

  it('rejects a server’s manifest with an empty, an oversized, or a short part before the last', () => {
    expect(readServerManifest(manifestOf([10, PART_BYTES]))).toBeNull();
    expect(readServerManifest(manifestOf([PART_BYTES, 0]))).toBeNull();
    expect(readServerManifest(manifestOf([PART_BYTES + 1]))).toBeNull();
    expect(readServerManifest(manifestOf([PART_BYTES, 10]))?.bytes).toBe(PART_BYTES + 10);
  });
});
