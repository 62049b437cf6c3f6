import { SmartForkError } from '../domain/errors.ts';
import { isRecord } from '../domain/is-record.ts';
import { MOVED, WITHOUT_EFFECT } from './prd-settings.ts';
import { type AnySetting, isSettingKey, settingKeys, settingRows } from './settings.ts';

/** The settings in config.json by key: `{"search": {"mode": "dense"}}` gives `{"search.mode": "dense"}`. */
export interface FileSettings {
  file: Record<string, unknown>;
  /** Everything in the file, by key. */
  entries: [string, unknown][];
}

/**
 * @param where names the file in errors.
 * @throws SmartForkError CONFIG_INVALID, naming every invalid setting.
 */
export function checkSettings(value: unknown, where: string): FileSettings {
  const problems: string[] = [];
  const entries = entriesOf(value, '', (problem) => problems.push(problem));
  if (problems.length > 0) throw invalid(where, problems.join('; '));
  const own = entries.filter(([key]) => isSettingKey(key));
  const moved = entries.flatMap(([key, inner]): [string, unknown][] => {
    const target = MOVED[key];
    return target === undefined ? [] : [[target, inner]];
  });
  return { file: Object.fromEntries([...moved, ...own]), entries };
}

/** Why a value is invalid; null if it is valid. Never repeats a secret. */
export function problemWith({ kind, masked }: AnySetting, value: unknown): string | null {
  if (kind.accepts(value)) return null;
  return `expected ${kind.expected}${masked === undefined ? foundText(value) : ''}`;
}

export function invalid(where: string, reason: string, cause?: unknown): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', `${where}: ${reason}`, {
    hint: 'smart-fork config list shows every setting; docs/configuration.md describes the values.',
    cause,
  });
}

/** The settings in an object; `prefix` is its group, such as `search.` */
function entriesOf(value: unknown, prefix: string, report: (problem: string) => void): [string, unknown][] {
  if (!isRecord(value)) {
    const place = prefix === '' ? '' : `${prefix.slice(0, -1)}: `;
    report(`${place}expected an object${foundText(value)}`);
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const key = prefix + name;
    if (KNOWN.some((known) => known.startsWith(`${key}.`))) return entriesOf(inner, `${key}.`, report);
    if (Object.hasOwn(WITHOUT_EFFECT, key)) return [[key, inner]];
    const target = MOVED[key] ?? key;
    const problem = isSettingKey(target) ? problemWith(settingRows[target], inner) : 'no such setting';
    if (problem !== null) report(`${key}: ${problem}`);
    return [[key, inner]];
  });
}

const KNOWN = [...settingKeys(), ...Object.keys(MOVED), ...Object.keys(WITHOUT_EFFECT)];

function foundText(value: unknown): string {
  const text = JSON.stringify(value);
  return `, found ${text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text}`;
}

const MAX_SHOWN_LENGTH = 80;
