import { PRICE_LIST } from './price-list.ts';
import type { PriceTier, SessionUsage } from './usage.ts';

/** The user's price per million tokens, in US dollars. */
export interface Price {
  /** A model's name; a trailing `*` matches any ending. */
  model: string;
  input: number;
  output: number;
  /** Defaults to `input`. */
  cache_read?: number;
  cache_write?: number;
  /** Defaults to `cache_write`. */
  cache_write_1h?: number;
}

export const PRICES = { currency: 'USD', source: PRICE_LIST.source, date: PRICE_LIST.date } as const;

/** A model's prices: the user's, or else the list's. Null if neither has one. */
export function priceOf(model: string | null, own: Price[]): readonly PriceTier[] | null {
  if (model === null) return null;
  const fits = (name: string) => (name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : model === name);
  const price = own.find((one) => fits(one.model));
  return price === undefined ? listed(plainName(model)) : [tierOf(price)];
}

/** In US dollars. */
export function costOf(usage: SessionUsage, tiers: readonly PriceTier[]): number {
  const tier = tiers.findLast(([above]) => above <= usage.contextAbove);
  if (tier === undefined) return 0;
  const [, input, output, cacheRead, cacheWrite, cacheWriteHour] = tier;
  const hour = usage.cacheWriteHour ?? 0;
  const sum =
    usage.input * input +
    usage.output * output +
    usage.cacheRead * cacheRead +
    (usage.cacheWrite - hour) * cacheWrite +
    hour * cacheWriteHour;
  return sum / 1e6;
}

function tierOf({ input, output, cache_read = input, cache_write = input, ...price }: Price): PriceTier {
  return [0, input, output, cache_read, cache_write, price.cache_write_1h ?? cache_write];
}

/** The same model has the same price in all its dated versions, unless the list has one for a version. */
function listed(name: string): readonly PriceTier[] | null {
  const names = [name, name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')];
  const known = names.find((one) => Object.hasOwn(PRICE_LIST.models, one));
  return known === undefined ? null : (PRICE_LIST.models[known] ?? null);
}

/** A model's name without what providers, clouds and agents put around it: `us.anthropic.claude-opus-4-6-v1:0`, `claude-opus-4.6[1m]`. */
function plainName(model: string): string {
  const name = model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^([a-z-]+\.)?anthropic\./, '')
    .replace(/\[1m\]$/, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace('@', '-');
  return name.startsWith('claude') ? name.replaceAll('.', '-') : name;
}
