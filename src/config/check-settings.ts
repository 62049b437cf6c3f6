import { SmartForkError } from '../domain/errors.ts';
import { type AnySetting, isSettingKey, settingKeys, settingRows } from './settings.ts';

/**
 * What config.json sets, by key: `{"search": {"mode": "dense"}}` is `{"search.mode": "dense"}`.
 * @param where names the file.
 * @throws SmartForkError CONFIG_INVALID, naming every setting that cannot be used.
 */
export function checkSettings(value: unknown, where: string): Record<string, unknown> {
  const problems: string[] = [];
  const file = Object.fromEntries(entriesOf(value, '', (problem) => problems.push(problem)));
  if (problems.length > 0) throw invalid(where, problems.join('; '));
  return file;
}

/** What is wrong with a setting's value; null for nothing. Secrets are not repeated. */
export function problemWith({ kind, masked }: AnySetting, value: unknown): string | null {
  if (kind.accepts(value)) return null;
  return `expected ${kind.expected}${masked === undefined ? foundText(value) : ''}`;
}

export function invalid(where: string, reason: string, cause?: unknown): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', `${where}: ${reason}`, {
    hint: 'smart-fork config list shows every setting; docs/configuration.md says what each can be.',
    cause,
  });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The settings in an object, or below the group that `prefix` names: `search.` */
function entriesOf(value: unknown, prefix: string, report: (problem: string) => void): [string, unknown][] {
  if (!isObject(value)) {
    const place = prefix === '' ? '' : `${prefix.slice(0, -1)}: `;
    report(`${place}expected an object${foundText(value)}`);
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const key = prefix + name;
    if (settingKeys().some((known) => known.startsWith(`${key}.`)))
      return entriesOf(inner, `${key}.`, report);
    const problem = isSettingKey(key) ? problemWith(settingRows[key], inner) : 'no such setting';
    if (problem !== null) report(`${key}: ${problem}`);
    return [[key, inner]];
  });
}

function foundText(value: unknown): string {
  const text = JSON.stringify(value);
  return `, found ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
}

const LONGEST = 80;
