import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBundleFile } from '../../../src/adapters/bundle/bundle-file.ts';
import type { BundleEntry } from '../../../src/ports/bundle/bundle-file.ts';
import { writeIdentity } from '../../support/files/bundles.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

async function* one(name: string, parts: Iterable<Uint8Array>, bytes: number): AsyncGenerator<BundleEntry> {
  async function* content() {
    yield* parts;
  }
  yield { name, bytes, content: content() };
}

describe('the bundle file', () => {
  it('leaves no bundle file behind if writing is aborted or fails, and never overwrites an existing file', async () => {
    const folder = tempFolder('bundle');
    const { recipient } = await writeIdentity(join(tempFolder('key'), 'key'));
    const file = createBundleFile(join(folder, 'a.age'));
    const key = { recipients: [recipient] };
    const stop = new AbortController();
    function* endless() {
      for (let count = 0; ; count += 1) {
        if (count === 100) stop.abort();
        yield Buffer.alloc(100_000, String(count));
      }
    }
    await expect(file.write(one('a', endless(), 1e12), key, stop.signal)).rejects.toThrow();
    const failing = one('a', [Buffer.from('too short')], 1000);
    await expect(file.write(failing, key, new AbortController().signal)).rejects.toThrow('cannot write');
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file.path, 'mine');
    const fine = one('a', [Buffer.from('fine')], 4);
    await expect(file.write(fine, key, new AbortController().signal)).rejects.toThrow('already exists');
    expect(readdirSync(folder)).toEqual(['a.age']);
  });
});
