import { aessiv } from '@noble/ciphers/aes.js';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';

/** Seals and opens data. Place and kind are authenticated: a text sealed for one cannot be opened for another. */
export interface Sealer {
  /** Identifies the key without revealing anything about it. */
  keyId: string;
  /** AES-256-GCM with a random nonce: equal bytes look different. */
  sealBytes(bytes: Uint8Array, place: string): Buffer;
  /** @throws SmartForkError STORE_INCOMPATIBLE if another key sealed the bytes, or they were changed or moved. */
  openBytes(sealed: Uint8Array, place: string): Buffer;
  sealText(text: string, place: string): string;
  openText(sealed: string, place: string): string;
  /** AES-SIV: equal names give equal hex digits, which can be filtered, counted and opened. */
  sealName(kind: string, name: string): string;
  openName(kind: string, sealed: string): string;
  /** Seals the hash of a point's text; equal texts of two points look different. */
  sealHash(pointId: string, hash: string): string;
  openHash(pointId: string, sealed: string): string;
  /** HMAC, for values that are only compared. */
  hashName(kind: string, name: string): string;
  keyToken(token: string): string;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Names are padded to a multiple of this, so that their length reveals little. */
const NAME_BLOCK = 32;
/** The size of the tokenizer's cache. */
const MAX_REMEMBERED = 100_000;
/** 64 bits: collisions are negligible. */
const COMPARED_DIGITS = 16;

/** @param master 32 key bytes, from which a key for each purpose is derived. */
export function createSealer(master: Uint8Array): Sealer {
  const sealing = subkey(master, 'sealing', 32);
  const names = subkey(master, 'names', 64);
  const hashes = subkey(master, 'hashes', 32);

  const sealBytes: Sealer['sealBytes'] = (bytes, place) => seal(sealing, bytes, place);
  const openBytes: Sealer['openBytes'] = (sealed, place) => open(sealing, sealed, place);
  const compared = (key: Buffer) => remember((text) => mac(key, text).slice(0, COMPARED_DIGITS));
  const siv = (key: Buffer, kind: string) => aessiv(key, Buffer.from(`smart-fork ${FORMAT} ${kind}`));
  // Most points of a session repeat the same names. A kind contains no spaces.
  const sealedName = remember((text) => {
    const space = text.indexOf(' ');
    const name = padded(Buffer.from(text.slice(space + 1)));
    return hex(siv(names, text.slice(0, space)).encrypt(name));
  });
  const hashedName = compared(subkey(master, 'comparing', 32));
  return {
    keyId: keyIdOf(master),
    sealBytes,
    openBytes,
    sealText: (text, place) => sealBytes(Buffer.from(text), place).toString('base64'),
    openText: (sealed, place) => openBytes(Buffer.from(sealed, 'base64'), place).toString(),
    sealName: (kind, name) => sealedName(`${kind} ${name}`),
    openName: (kind, sealed) =>
      unpadded(opening(kind, () => siv(names, kind).decrypt(Buffer.from(sealed, 'hex')))).toString(),
    sealHash: (pointId, hash) =>
      Buffer.from(siv(hashes, pointId).encrypt(packedHash(hash))).toString('base64url'),
    openHash: (pointId, sealed) =>
      unpackedHash(opening(pointId, () => siv(hashes, pointId).decrypt(Buffer.from(sealed, 'base64url')))),
    hashName: (kind, name) => hashedName(`${kind} ${name}`),
    keyToken: compared(subkey(master, 'tokens', 32)),
  };
}

/** 64 bits, one-way. */
export function keyIdOf(master: Uint8Array): string {
  return subkey(master, 'key id', 8).toString('hex');
}

function subkey(master: Uint8Array, purpose: string, bytes: number): Buffer {
  return Buffer.from(nodeCrypto().hkdfSync('sha256', master, '', `smart-fork ${FORMAT} ${purpose}`, bytes));
}

/** Format, nonce, ciphertext, tag. */
function seal(key: Buffer, bytes: Uint8Array, place: string): Buffer {
  const nonce = nodeCrypto().randomBytes(NONCE_BYTES);
  const cipher = nodeCrypto().createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(place));
  const ciphertext = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([Buffer.of(FORMAT), nonce, ...ciphertext, cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Uint8Array, place: string): Buffer {
  return opening(place, () => {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes[0] !== FORMAT || bytes.length < 1 + NONCE_BYTES + TAG_BYTES)
      throw new Error('not in the format of sealed data');
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = nodeCrypto().createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]);
  });
}

function boundTo(place: string): Buffer {
  return Buffer.from(`smart-fork ${FORMAT} ${place}`);
}

function opening<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SmartForkError(
      'STORE_INCOMPATIBLE',
      `cannot decrypt the data for ${place}: ${errorText(error)}`,
      {
        hint: 'It was sealed with another key, or changed on the server. smart-fork key status shows this machine’s key.',
        cause: error,
      },
    );
  }
}

/** Pads with a one bit, then zeros (ISO/IEC 7816-4). */
function padded(bytes: Buffer): Buffer {
  const length = Math.ceil((bytes.length + 1) / NAME_BLOCK) * NAME_BLOCK;
  return Buffer.concat([bytes, Buffer.of(0x80)], length);
}

function unpadded(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.lastIndexOf(0x80)));
}

const PLAIN_HASH = 0;
const SHA256 = 1;
const SHA256_TEXT = /^sha256:[\da-f]{64}$/;

/** Every point has a hash, and nearly all are hexadecimal. As bytes they take half the space. */
function packedHash(hash: string): Buffer {
  return SHA256_TEXT.test(hash)
    ? Buffer.concat([Buffer.of(SHA256), Buffer.from(hash.slice(7), 'hex')])
    : Buffer.concat([Buffer.of(PLAIN_HASH), Buffer.from(hash)]);
}

function unpackedHash(packed: Uint8Array): string {
  const rest = Buffer.from(packed.subarray(1));
  return packed[0] === SHA256 ? `sha256:${rest.toString('hex')}` : rest.toString();
}

function mac(key: Buffer, text: string): string {
  return nodeCrypto().createHmac('sha256', key).update(text).digest('hex');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function remember(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = work(text);
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(text, result);
    }
    return result;
  };
}
