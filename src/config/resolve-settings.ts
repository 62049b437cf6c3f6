import type { SmartForkError } from '../domain/errors.ts';
import { invalid, problemWith } from './check-settings.ts';
import { type Environment, filled, userHomeOf } from './environment.ts';
import { type SettingKey, type SettingValues, settingKeys, settingRows } from './settings.ts';

interface SettingSources {
  environment: Environment;
  dotenv: Environment;
  /** The settings in config.json, by key, validated. */
  file: Record<string, unknown>;
  /** Whether a source could not be read. */
  unread: boolean;
}

/** A setting's effective value (null for none) and its origin. */
export interface ResolvedSetting {
  value: unknown;
  origin: 'default' | 'config.json' | '.env' | 'environment';
}

export interface ResolvedSettings {
  all: Record<SettingKey, ResolvedSetting>;
  get: <K extends SettingKey>(key: K) => SettingValues[K];
  /** Whether a source could not be read, or a variable is invalid. */
  unread: boolean;
}

/**
 * Precedence: environment, .env, config.json, default.
 * @param onInvalid called for every invalid variable, which counts as not set.
 */
export function resolveSettings(
  { environment, dotenv, file, unread }: SettingSources,
  onInvalid: (problem: SmartForkError) => void,
): ResolvedSettings {
  const merged = { ...dotenv, ...environment };
  const problems = invalidVariables(merged);
  for (const [variable, problem] of problems) onInvalid(invalid(variable, problem));
  const env = { ...merged, ...Object.fromEntries(problems.map(([variable]) => [variable, undefined])) };
  const anyUnread = unread || problems.length > 0;
  const given = (key: SettingKey): ResolvedSetting => {
    const { variable = '', kind, whenUnread, default: standard } = settingRows[key];
    const text = filled(env[variable]);
    if (text !== undefined) {
      const origin = filled(environment[variable]) === undefined ? '.env' : 'environment';
      return { value: kind.parse(text), origin };
    }
    if (anyUnread && whenUnread !== undefined) return { value: whenUnread, origin: 'default' };
    if (key in file) return { value: file[key], origin: 'config.json' };
    const of = (other: SettingKey) => resolved(other).value;
    return { value: standard instanceof Function ? standard({ env, of }) : standard, origin: 'default' };
  };
  const resolved = (key: SettingKey): ResolvedSetting => {
    const { value, origin } = given(key);
    return { value: value === null ? null : settingRows[key].kind.resolve(value, userHomeOf(env)), origin };
  };
  const all = Object.fromEntries(settingKeys().map((key) => [key, resolved(key)])) as ResolvedSettings['all'];
  // Each value was accepted by its row's kind, or is the row's default.
  return { all, get: (key) => all[key].value as SettingValues[typeof key], unread: anyUnread };
}

/** The invalid variables, each with the reason. */
function invalidVariables(env: Environment): [string, string][] {
  return Object.values(settingRows).flatMap((row) => {
    const text = row.variable === undefined ? undefined : filled(env[row.variable]);
    const problem = text === undefined ? null : problemWith(row, row.kind.parse(text));
    return row.variable === undefined || problem === null ? [] : [[row.variable, problem]];
  });
}
