import { Decrypter, Encrypter } from 'age-encryption';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { OpeningKey, SealingKey } from '../../ports/bundle/bundle-file.ts';

type Bytes = ReadableStream<Uint8Array>;

/** @throws SmartForkError USAGE for a recipient in an unknown format */
export function seal(plain: Bytes, key: SealingKey): Promise<Bytes> {
  const encrypter = new Encrypter();
  if ('passphrase' in key) {
    encrypter.setPassphrase(key.passphrase);
    // OWASP's recommendation for scrypt. age's own default takes twice the memory and, here, three times as long.
    encrypter.setScryptWorkFactor(17);
  } else for (const recipient of key.recipients) addRecipient(encrypter, recipient);
  return encrypter.encrypt(plain);
}

/** @throws SmartForkError USAGE if the key does not open it */
export async function open(sealed: Bytes, key: OpeningKey, path: string): Promise<Bytes> {
  const decrypter = new Decrypter();
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
  else for (const identity of key.identities) addIdentity(decrypter, identity);
  try {
    return await decrypter.decrypt(sealed);
  } catch (error) {
    if (!/no identity matched/.test(errorText(error))) throw error;
    const isPassphrase = 'passphrase' in key;
    const message = isPassphrase ? `wrong passphrase for ${path}` : `${path} is not encrypted to this key`;
    const hint = isPassphrase
      ? 'Enter the passphrase used for the export.'
      : "Give the recipient's secret key file: --identity FILE.";
    throw new SmartForkError('USAGE', message, { hint, cause: error });
  }
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw new SmartForkError('USAGE', `not an age recipient: ${recipient}`, {
      hint: 'A recipient begins with age1; age-keygen prints it as the public key.',
      cause: error,
    });
  }
}

/** The message never contains the key. */
function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new SmartForkError('USAGE', 'the identity file contains a line that is not an age secret key', {
      hint: 'Use a file written by age-keygen; its keys begin with AGE-SECRET-KEY-.',
    });
  }
}
