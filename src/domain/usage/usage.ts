import type { Agent } from '../session/session.ts';

/** Tokens, as the transcript gives them. `input` does not contain what was read from or written to the cache. */
export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What one request to a model used. */
export interface RequestUsage extends Tokens {
  /** The lines of a request, and their copies in forks, have the same one. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  model: string | null;
  /** The line is a copy of another session's. */
  copied: boolean;
}

/** What a session used on one day with one model. */
export interface SessionUsage extends Tokens {
  sessionId: string;
  /** Of this machine's calendar, YYYY-MM-DD. */
  date: string;
  model: string | null;
  requests: number;
}

/** A session that usage can be of. */
export interface UsageSource {
  agent: Agent;
  repo: string;
}

/** What the user pays for a million tokens, in a currency of their choice. */
export interface Price {
  /** A model's name; with `*` at its end, the beginning of one. */
  model: string;
  input: number;
  output: number;
  /** Absent: as `input`. */
  cache_read?: number;
  cache_write?: number;
}

export const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function isNothing({ input, output, cacheRead, cacheWrite }: Tokens): boolean {
  return input + output + cacheRead + cacheWrite === 0;
}

export function priceOf(model: string | null, prices: Price[]): Price | null {
  const fits = (name: string) =>
    name.endsWith('*') ? model?.startsWith(name.slice(0, -1)) === true : model === name;
  return prices.find((price) => fits(price.model)) ?? null;
}

/** In the currency of the price. */
export function costOf({ input, output, cacheRead, cacheWrite }: Tokens, price: Price): number {
  const { cache_read = price.input, cache_write = price.input } = price;
  return (
    (input * price.input + output * price.output + cacheRead * cache_read + cacheWrite * cache_write) / 1e6
  );
}
