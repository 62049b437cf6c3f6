import { SmartForkError } from './domain/errors.ts';

/**
 * What a variable says that turns something on or off; null when it is not set.
 * @throws SmartForkError CONFIG_INVALID
 */
export function switchOf(name: string, value: string | undefined): boolean | null {
  const word = value?.trim().toLowerCase();
  if (word === undefined) return null;
  if (['on', 'true', '1', 'yes'].includes(word)) return true;
  if (['off', 'false', '0', 'no'].includes(word)) return false;
  throw new SmartForkError('CONFIG_INVALID', `${name}: ${word} is neither on nor off`, {
    hint: `For instance: ${name}=off`,
  });
}
