import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../domain/errors.ts';
import { isRecord } from '../domain/is-record.ts';
import { parseSettings } from '../domain/text/parse-settings.ts';
import { checkSettings, type FileSettings, invalid } from './check-settings.ts';
import type { Environment } from './environment.ts';
import type { SettingKey } from './settings.ts';

export function settingsPath(home: string): string {
  return join(home, 'config.json');
}

/** Changes whenever one of the settings files changes. */
export function settingsStamp(home: string): string {
  const stats = ['.env', 'config.json', IGNORE_FILE].map((name) =>
    statSync(join(home, name), { throwIfNoEntry: false }),
  );
  return stats.map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`)).join();
}

const IGNORE_FILE = '.smartforkignore';
/** Some editors begin a file with it. */
const BOM = /^\ufeff/;

/** The settings in config.json, by key. */
export function readSettings(home: string): FileSettings {
  return checkSettings(readJson(settingsPath(home)), settingsPath(home));
}

/**
 * Writes a setting atomically; `undefined` removes it.
 * @param check receives the resulting settings by key, and throws if they are invalid.
 */
export async function writeSetting(
  home: string,
  key: SettingKey,
  value: unknown,
  check: (file: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  const path = settingsPath(home);
  const after = withValue(readJson(path), key.split('.'), value);
  await check(checkSettings(after, path).file);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(after, null, 2)}\n`, { mode: 0o600 });
  chmodSync(aside, 0o600);
  renameSync(aside, path);
}

export async function readDotenv(home: string): Promise<Environment> {
  const text = readText(join(home, '.env'));
  if (text === null) return {};
  const { parseDotenv } = await import('./dotenv.ts');
  return parseDotenv(text);
}

export function readIgnoreFile(home: string): string | null {
  return readText(join(home, IGNORE_FILE));
}

function readJson(path: string): unknown {
  const text = readText(path);
  try {
    return text === null ? {} : parseSettings(text);
  } catch (error) {
    throw invalid(path, errorText(error), error);
  }
}

/** Null if the file does not exist. */
function readText(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  // Opening a pipe would wait for its writer, and no signal would end that.
  if (!stat.isFile()) throw invalid(path, 'it is not a file');
  try {
    const text = readFileSync(path, 'utf8').replace(BOM, '');
    // As UTF-16, which PowerShell writes, each line would be ignored.
    if (text.includes('\0')) throw new Error('it is not text in UTF-8');
    return text;
  } catch (error) {
    throw invalid(path, errorText(error), error);
  }
}

/** Leaves a group that is not an object unchanged: the check rejects it. */
function withValue(object: unknown, [name = '', ...rest]: string[], value: unknown): unknown {
  if (object !== undefined && !isRecord(object)) return object;
  if (rest.length > 0) return { ...object, [name]: withValue(object?.[name], rest, value) };
  const { [name]: _, ...others } = object ?? {};
  return value === undefined ? others : { ...object, [name]: value };
}
