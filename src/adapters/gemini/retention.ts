import { getNodeValue } from 'jsonc-parser';
import { asRecord, asText } from '../jsonl/read-value.ts';
import { bodyOf, parseSettingsJson, propertyOf } from '../settings/json-file.ts';

/** `general.sessionRetention` in days; Infinity if it is off, null if it is not set. */
export function retentionDays(text: string, path: string): number | null {
  const general = propertyOf(parseSettingsJson(bodyOf(text), path), 'general', path);
  const value: unknown = general === undefined ? undefined : getNodeValue(general);
  const retention = asRecord(asRecord(value)?.sessionRetention);
  if (retention?.enabled === false) return Infinity;
  const [, number, unit = ''] = /^(\d{1,6})([hdwm])$/.exec(asText(retention?.maxAge) ?? '') ?? [];
  return number === undefined ? null : Number(number) * (DAYS[unit] ?? 1);
}

const DAYS: Record<string, number> = { h: 1 / 24, d: 1, w: 7, m: 30 };
