import type { Config } from './config.ts';
import type { ResolvedSetting } from './resolve-settings.ts';
import { type AnySetting, type SettingKey, settingKeys, settingRows } from './settings.ts';

export interface ListedSetting extends ResolvedSetting {
  key: SettingKey;
  description: string;
  /** What counts while nothing is set and there is no fixed default; null if nothing does. */
  if_unset: string | null;
}

/** Every setting for display, with secrets masked. */
export function listSettings({ settings }: Pick<Config, 'settings'>): ListedSetting[] {
  return settingKeys().map((key) => {
    const { value, origin } = settings[key];
    const row = settingRows[key];
    const { description, defaultText = null } = row;
    return {
      key,
      value: masked(row, value),
      origin,
      description,
      if_unset: value === null ? defaultText : null,
    };
  });
}

function masked(row: AnySetting, value: unknown): unknown {
  if (typeof value !== 'string' || row.masked === undefined) return value;
  if (row.masked === 'all') return MASK;
  return value
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/^([a-z]+:\/\/[^?]*\?).+$/i, `$1${MASK}`);
}

const MASK = '********';
