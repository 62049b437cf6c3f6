import { readFileSync } from 'node:fs';

/** The version in package.json, two folders above the built file. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const value: unknown = JSON.parse(text);
  const known = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  return typeof known === 'string' ? known : 'unknown';
}
