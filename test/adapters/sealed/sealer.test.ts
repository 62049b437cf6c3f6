import { describe, expect, it } from 'vitest';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import { otherSealer, sealer } from './places.ts';

const REFUSED = expect.objectContaining({ name: 'SmartForkError', code: 'STORE_INCOMPATIBLE' });
const PLACE = pointId('s', 'chunk', 3);
const TEXTS = ['', 'a', 'line\nline\0\u001b[31m', '数据库 🚀 façade', 'x'.repeat(1_000_000)];

describe('sealed bytes and texts', () => {
  it.each(TEXTS)('opens a sealed text unchanged', (text) => {
    expect(sealer.openText(sealer.sealText(text, PLACE), PLACE)).toBe(text);
    const bytes = Buffer.from(text);
    expect(sealer.openBytes(sealer.sealBytes(bytes, PLACE), PLACE).equals(bytes)).toBe(true);
  });

  it('opens sealed binary data unchanged, including a view of a larger buffer', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    const sealed = sealer.sealBytes(bytes.subarray(3, 250), PLACE);
    const within = new Uint8Array(sealed.length + 20);
    within.set(sealed, 7);
    const opened = sealer.openBytes(within.subarray(7, 7 + sealed.length), PLACE);
    expect(opened).toEqual(Buffer.from(bytes.subarray(3, 250)));
  });

  it('seals the same text differently each time, 29 bytes longer', () => {
    const sealed = Array.from({ length: 1000 }, () => sealer.sealBytes(Buffer.from('same'), PLACE));
    expect(new Set(sealed.map((one) => one.toString('hex'))).size).toBe(1000);
    expect(new Set(sealed.map(({ length }) => length))).toEqual(new Set([4 + 29]));
  });

  it('refuses to open modified or truncated data', () => {
    const sealed = sealer.sealBytes(Buffer.from('a small secret'), PLACE);
    for (let at = 0; at < sealed.length; at += 1) {
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(at) ^ bit, at);
        expect(() => sealer.openBytes(changed, PLACE), `byte ${at}`).toThrow(REFUSED);
      }
      expect(() => sealer.openBytes(sealed.subarray(0, at), PLACE), `${at} bytes`).toThrow(REFUSED);
    }
  });

  it('refuses to open data sealed for another point or with another key', () => {
    const sealed = sealer.sealBytes(Buffer.from('text'), PLACE);
    expect(() => sealer.openBytes(sealed, pointId('s', 'chunk', 4))).toThrow(REFUSED);
    expect(() => otherSealer.openBytes(sealed, PLACE)).toThrow(REFUSED);
  });
});

describe('sealed names', () => {
  it.each(['', 'main', 'fix/valve', 'Ünïcode 数据 🚀', 'ends in \u0080', 'x'.repeat(300)])(
    'opens a sealed name: %s',
    (name) => {
      expect(sealer.openName('branch', sealer.sealName('branch', name))).toBe(name);
    },
  );

  it('seals equal names of the same kind and key to equal results', () => {
    const sealed = sealer.sealName('branch', 'main');
    expect(sealer.sealName('branch', 'main')).toBe(sealed);
    expect(sealer.sealName('tag', 'main')).not.toBe(sealed);
    expect(otherSealer.sealName('branch', 'main')).not.toBe(sealed);
    expect(sealed).toMatch(/^[\da-f]+$/);
  });

  it('hides the length of a name', () => {
    const lengths = ['a', 'main', 'x'.repeat(31)].map((name) => sealer.sealName('branch', name).length);
    expect(new Set(lengths).size).toBe(1);
  });

  it('refuses to open a name that was modified, or belongs to another kind or key', () => {
    const sealed = Buffer.from(sealer.sealName('tag', 'release'), 'hex');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => sealer.openName('tag', changed.toString('hex')), `byte ${at}`).toThrow(REFUSED);
    }
    expect(() => sealer.openName('branch', sealed.toString('hex'))).toThrow(REFUSED);
    expect(() => otherSealer.openName('tag', sealed.toString('hex'))).toThrow(REFUSED);
    for (const junk of ['', 'release', '00']) expect(() => sealer.openName('tag', junk)).toThrow(REFUSED);
  });
});

describe('hashes and tokens', () => {
  it('seals hashes per point without showing the plain hash', () => {
    for (const hash of [sha256('known text'), 'sha256:gone', '']) {
      const sealed = sealer.sealHash(PLACE, hash);
      expect(sealer.openHash(PLACE, sealed)).toBe(hash);
      expect(sealer.sealHash(PLACE, hash)).toBe(sealed);
      expect(sealer.sealHash(pointId('t', 'chunk', 3), hash)).not.toBe(sealed);
      expect(otherSealer.sealHash(PLACE, hash)).not.toBe(sealed);
      expect(() => otherSealer.openHash(PLACE, sealed)).toThrow(REFUSED);
      expect(() => sealer.openHash(pointId('t', 'chunk', 3), sealed)).toThrow(REFUSED);
    }
    expect(
      Buffer.from(sealer.sealHash(PLACE, sha256('known text')), 'base64url').toString('hex'),
    ).not.toContain(sha256('known text').slice(7, 23));
  });

  it('seals tokens depending on the key', () => {
    const tokens = ['piston', '~piston', 'piston+valv', ''];
    const keyed = tokens.map(sealer.keyToken);
    expect(new Set(keyed).size).toBe(tokens.length);
    for (const token of keyed) expect(token).toMatch(/^[\da-f]{16}$/);
    expect(tokens.map(sealer.keyToken)).toEqual(keyed);
    expect(tokens.map(otherSealer.keyToken)).not.toContain(keyed[0]);
    expect(sealer.hashName('file', 'a')).not.toBe(sealer.hashName('marker', 'a'));
    expect(sealer.keyId).not.toBe(otherSealer.keyId);
  });
});
