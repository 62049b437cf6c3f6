import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { hasCode } from '../system/has-code.ts';
import { isSharedFile } from '../system/is-shared-file.ts';
import { readRegularText } from '../system/regular-file.ts';
import { KEY_FORMAT, keyOf, SCRYPT, type SealingKey } from './sealing-key.ts';

/**
 * This machine's key; null if there is no file.
 * @throws SmartForkError CONFIG_INVALID for a file that cannot be read, contains no key, or can be read by other users.
 */
export function readKeyFile(path: string): SealingKey | null {
  const text = readText(path);
  if (text === null) return null;
  if (isSharedFile(path))
    throw damaged(
      path,
      'other users can read it',
      `chmod 600 ${path}. If others may have read it, replace it: smart-fork key create --force`,
    );
  const fields = fieldsOf(path, text);
  if (fields.version !== KEY_FORMAT) {
    throw damaged(
      path,
      `it has version ${String(fields.version)}, but this smart-fork supports version ${KEY_FORMAT}`,
      'Update smart-fork on this machine: npm install -g smart-fork@latest',
    );
  }
  const key = keyOf(bytesIn(path, fields, 'salt', 16), bytesIn(path, fields, 'key', 32));
  if (key.id !== fields.id) throw damaged(path, 'its id does not match the key: the file was changed');
  return key;
}

/** Atomic; only the owner can read the file. */
export function writeKeyFile(path: string, key: SealingKey): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { N, r, p } = SCRYPT;
  const fields = {
    version: KEY_FORMAT,
    id: key.id,
    kdf: { name: 'scrypt', N, r, p },
    salt: key.salt.toString('base64url'),
    key: key.master.toString('base64url'),
  };
  const aside = `${path}.${process.pid}`;
  try {
    writeFileSync(aside, `${JSON.stringify(fields, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(aside, 0o600);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function readText(path: string): string | null {
  try {
    return readRegularText(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw damaged(path, errorText(error), `Make it readable: chmod 600 ${path}`);
  }
}

function fieldsOf(path: string, text: string): Record<string, unknown> {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(path, errorText(error));
  }
  if (typeof value !== 'object' || value === null) throw damaged(path, 'not a JSON object');
  return { ...value };
}

function bytesIn(path: string, fields: Record<string, unknown>, name: string, length: number): Buffer {
  const value = fields[name];
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64url') : null;
  if (bytes?.length === length) return bytes;
  throw damaged(path, `its ${name} is not ${length} bytes`);
}

const IMPORT_AGAIN =
  'Import the key from another machine: smart-fork key export there, smart-fork key import --force here.';

function damaged(path: string, reason: string, hint = IMPORT_AGAIN): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', `the key file ${path} cannot be used: ${reason}`, { hint });
}
