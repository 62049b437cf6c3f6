import { SmartForkError } from '../errors.ts';

/**
 * Why a store with one seal cannot be used with another; null if it can. A seal is a key's id; null means plain text.
 * @param where the store's name in the message
 */
export function sealProblem(
  where: string,
  stored: string | null,
  given: string | null,
): SmartForkError | null {
  if (stored === given) return null;
  if (stored === null) {
    return refusal(`${where} contains plain text, but encryption is on`, [
      'Use another collection (QDRANT_COLLECTION) for encrypted sessions; this one stays as it is until you delete it.',
      'Or turn encryption off: smart-fork config set encryption off',
    ]);
  }
  if (given === null) {
    return refusal(`${where} is encrypted with the key ${stored}, but encryption is off`, [
      'Turn it on: smart-fork config set encryption on.',
      'Get the key from a machine that has it: smart-fork key export there, smart-fork key import here.',
    ]);
  }
  return refusal(`${where} is encrypted with the key ${stored}, but this machine has the key ${given}`, [
    'Get the key from a machine that has it: smart-fork key export there, smart-fork key import here.',
    'Or use another collection (QDRANT_COLLECTION).',
  ]);
}

function refusal(message: string, hints: string[]): SmartForkError {
  return new SmartForkError('STORE_INCOMPATIBLE', `${message}; nothing was read or changed`, {
    hint: hints.join(' '),
  });
}
