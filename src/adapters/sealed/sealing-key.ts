import { SmartForkError } from '../../domain/errors.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';
import { keyIdOf } from './sealer.ts';

/** Everything a machine needs to seal and open data, without the passphrase. */
export interface SealingKey {
  /** See Sealer.keyId. */
  id: string;
  salt: Buffer;
  /** 32 bytes, derived by scrypt from passphrase and salt. */
  master: Buffer;
}

/** Takes 128 MB and half a second, once, to create a key. */
export const SCRYPT = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
const MASTER_BYTES = 32;
const CHECK_BYTES = 8;
/** Version of the exported text and of the key file. */
export const KEY_FORMAT = 1;
const TEXT_PREFIX = `smart-fork-key-${KEY_FORMAT}-`;

/** The random salt makes every key different. The server never learns the salt, so it cannot guess passphrases. */
export async function makeKey(passphrase: string): Promise<SealingKey> {
  const salt = nodeCrypto().randomBytes(SALT_BYTES);
  const master = await new Promise<Buffer>((resolve, reject) => {
    const options = { ...SCRYPT, maxmem: 256 * SCRYPT.N * SCRYPT.r };
    nodeCrypto().scrypt(passphrase.normalize('NFKC'), salt, MASTER_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
  return { id: keyIdOf(master), salt, master };
}

/** The key as a line to copy. Anyone who has it can read everything. */
export function keyToText({ salt, master }: SealingKey): string {
  const bytes = Buffer.concat([salt, master]);
  return TEXT_PREFIX + Buffer.concat([bytes, checksumOf(bytes)]).toString('base64url');
}

/** @throws SmartForkError USAGE for a line that is not a key, or is truncated or mistyped. */
export function keyFromText(text: string): SealingKey {
  const line = text.replace(/\s+/g, '');
  const bytes = Buffer.from(line.slice(TEXT_PREFIX.length), 'base64url');
  if (!line.startsWith(TEXT_PREFIX) || bytes.length !== SALT_BYTES + MASTER_BYTES + CHECK_BYTES)
    throw invalidKey('it is not a line from smart-fork key export, or part of it is missing');
  const key = keyOf(bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES, -CHECK_BYTES));
  if (keyToText(key) !== line) throw invalidKey('the checksum does not match: a character is wrong');
  return key;
}

export function keyOf(salt: Uint8Array, master: Uint8Array): SealingKey {
  return { id: keyIdOf(master), salt: Buffer.from(salt), master: Buffer.from(master) };
}

function checksumOf(bytes: Uint8Array): Buffer {
  return nodeCrypto().createHash('sha256').update(bytes).digest().subarray(0, CHECK_BYTES);
}

function invalidKey(reason: string): SmartForkError {
  return new SmartForkError('USAGE', `not a valid key: ${reason}`, {
    hint: 'Copy the whole line that smart-fork key export prints on the machine with the key.',
  });
}
