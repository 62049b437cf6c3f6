import { chmodSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';
import { hasCode } from '../system/has-code.ts';
import { isSharedFile } from '../system/is-shared-file.ts';
import { makeFolder } from '../system/make-folder.ts';
import { readRegularText } from '../system/regular-file.ts';
import { replaceFile } from '../system/replace-file.ts';

const MIN_LENGTH = 32;

/** The token in a file that only its owner can read. Creates the file if it is missing. */
export function ownToken(path: string): string {
  const known = read(path, readRegularText);
  if (known !== null) {
    chmodSync(path, 0o600);
    return checked(path, known);
  }
  const token = nodeCrypto().randomBytes(32).toString('base64url');
  makeFolder(dirname(path));
  replaceFile(path, `${token}\n`);
  return token;
}

/**
 * The token in a file named by the user.
 * @throws SmartForkError USAGE if the file is missing or readable by others
 */
export function givenToken(path: string): string {
  // It may be a pipe, as `/dev/fd/3`.
  const text = read(path, (one) => readFileSync(one, 'utf8'));
  if (text === null) {
    throw new SmartForkError('USAGE', `there is no token file ${path}`, {
      hint: `Create one: (umask 077; openssl rand -base64 33 > ${path})`,
    });
  }
  if (!isSharedFile(path)) return checked(path, text);
  throw new SmartForkError('USAGE', `others can read the token file ${path}`, { hint: `chmod 600 ${path}` });
}

/** Null if there is none. */
function read(path: string, textOf: (path: string) => string): string | null {
  try {
    return textOf(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new SmartForkError('CONFIG_INVALID', `cannot read ${path}: ${errorText(error)}`, { cause: error });
  }
}

function checked(path: string, text: string): string {
  const token = text.trim();
  if (token.length >= MIN_LENGTH && /^[\w+/=.~-]+$/.test(token)) return token;
  throw new SmartForkError('CONFIG_INVALID', `${path} contains no token`, {
    hint: `A token has at least ${MIN_LENGTH} letters and digits. Delete the file to get a new one.`,
  });
}
