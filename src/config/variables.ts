import { SmartForkError } from '../domain/errors.ts';

export type Environment = Record<string, string | undefined>;

export function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** A variable that turns something on or off; null when it is not set. */
export function switchOf(env: Environment, name: string): boolean | null {
  const value = filled(env[name])?.trim().toLowerCase();
  if (value === undefined) return null;
  if (['on', 'true', '1', 'yes'].includes(value)) return true;
  if (['off', 'false', '0', 'no'].includes(value)) return false;
  throw invalid(name, `${value} is neither on nor off`, undefined);
}

export function namesSet<T extends string>(env: Environment, where: T): Record<string, T> {
  const names = Object.keys(env).filter((name) => filled(env[name]) !== undefined);
  return Object.fromEntries(names.map((name) => [name, where]));
}

export function invalid(where: string, reason: string, cause: unknown): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', `${where}: ${reason}`, {
    hint: 'smart-fork config list shows every setting and what it may be.',
    cause,
  });
}
