import type { Config } from './config.ts';
import type { ResolvedSetting } from './resolve-settings.ts';
import { type AnySetting, type SettingKey, settingKeys, settingRows } from './settings.ts';

export interface ListedSetting extends ResolvedSetting {
  key: SettingKey;
  description: string;
}

/** Every setting for display, with secrets masked. */
export function listSettings({ settings }: Pick<Config, 'settings'>): ListedSetting[] {
  return settingKeys().map((key) => {
    const { value, origin } = settings[key];
    return { key, value: masked(settingRows[key], value), origin, description: settingRows[key].description };
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
