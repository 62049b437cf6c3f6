import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText } from '../domain/errors.ts';
import type { Settings } from './schema.ts';
import { type Environment, invalid } from './variables.ts';

export function settingsPath(home: string): string {
  return join(home, 'config.json');
}

/** Writes one setting after checking it; `undefined` takes it out. The file is replaced as a whole or not at all. */
export async function writeSetting(
  home: string,
  key: string,
  value: unknown,
  check: (settings: Settings) => Promise<void> = async () => undefined,
): Promise<void> {
  const path = settingsPath(home);
  const settings: Record<string, unknown> = { ...(await readSettings(path)) };
  const names = key.split('.');
  let at = settings;
  for (const name of names.slice(0, -1)) {
    const inner = at[name];
    at[name] = typeof inner === 'object' && inner !== null ? { ...inner } : {};
    at = at[name] as Record<string, unknown>;
  }
  const last = names.at(-1) ?? key;
  if (value === undefined) delete at[last];
  else at[last] = value;
  await check(await checkSettings(settings, `config set ${key}`));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  chmodSync(aside, 0o600);
  renameSync(aside, path);
}

export async function readDotenv(path: string): Promise<Environment> {
  if (!existsSync(path)) return {};
  const { parseDotenv } = await import('./dotenv.ts');
  return parseDotenv(readText(path));
}

export async function readSettings(path: string): Promise<Settings> {
  if (!existsSync(path)) return {};
  const text = readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(path, errorText(error), error);
  }
  return checkSettings(value, path);
}

async function checkSettings(value: unknown, where: string): Promise<Settings> {
  const { describeProblems, settingsSchema } = await import('./schema.ts');
  const checked = settingsSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw invalid(where, describeProblems(checked.error), checked.error);
}

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(path, errorText(error), error);
  }
}
