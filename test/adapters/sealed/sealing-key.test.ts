import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKeyFile, writeKeyFile } from '../../../src/adapters/sealed/key-file.ts';
import { createSealer } from '../../../src/adapters/sealed/sealer.ts';
import { keyFromText, keyOf, keyToText, makeKey } from '../../../src/adapters/sealed/sealing-key.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

const KEY = keyOf(Buffer.alloc(16, 3), Buffer.alloc(32, 7));
const DAMAGED = expect.objectContaining({ code: 'CONFIG_INVALID', hint: expect.any(String) });

describe('a sealing key', () => {
  it('derives a different key each time, even from the same passphrase', async () => {
    const [one, two] = [await makeKey('correct horse'), await makeKey('correct horse')];
    expect(one.id).not.toBe(two.id);
    expect(one.master).toHaveLength(32);
    expect(createSealer(one.master).keyId).toBe(one.id);
  });

  it('reads a key from text, even when it is broken across lines', () => {
    const text = keyToText(KEY);
    expect(text).toMatch(/^[\w-]+$/);
    expect(keyFromText(` ${text}\n`)).toEqual(KEY);
    expect(keyFromText(`${text.slice(0, 40)}\r\n  ${text.slice(40)}`)).toEqual(KEY);
  });

  it('refuses a key with a wrong or missing character', () => {
    const text = keyToText(KEY);
    const wrong = expect.objectContaining({ code: 'USAGE' });
    for (let at = 0; at < text.length; at += 1) {
      const other = text[at] === 'A' ? 'B' : 'A';
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      expect(() => keyFromText(changed), `character ${at}`).toThrow(wrong);
      expect(() => keyFromText(text.slice(0, at)), `${at} characters`).toThrow(wrong);
    }
  });
});

describe('the key file', () => {
  it('writes the key only to a file that only its owner can read', () => {
    const home = join(tempFolder('key'), 'home');
    const path = join(home, 'key');
    expect(readKeyFile(path)).toBeNull();
    writeKeyFile(path, KEY);
    expect(readKeyFile(path)).toEqual(KEY);
    expect(readdirSync(home)).toEqual(['key']);
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(home).mode & 0o777).toBe(0o700);
      chmodSync(path, 0o644);
      writeKeyFile(path, KEY);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  it.skipIf(process.platform === 'win32')('refuses a key file that others can read, with a hint', () => {
    const path = join(tempFolder('key'), 'key');
    writeKeyFile(path, KEY);
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      chmodSync(path, mode);
      expect(() => readKeyFile(path), mode.toString(8)).toThrow(DAMAGED);
    }
    chmodSync(path, 0o600);
    expect(readKeyFile(path)).toEqual(KEY);
  });

  it('rejects a damaged key file and names it', () => {
    const path = join(tempFolder('key'), 'key');
    writeKeyFile(path, KEY);
    const whole = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const damages = [
      { version: 2 },
      { id: '0000000000000000' },
      { key: '' },
      { key: 'AAAA' },
      { salt: null },
      { key: Buffer.alloc(32, 9).toString('base64url') },
    ];
    const texts = [
      '',
      '{',
      '[]',
      'null',
      ...damages.map((damage) => JSON.stringify({ ...whole, ...damage })),
    ];
    for (const text of texts) {
      writeFileSync(path, text);
      expect(() => readKeyFile(path), text).toThrow(DAMAGED);
      expect(() => readKeyFile(path), text).toThrow(path);
    }
  });
});
