import type { Agent } from '../agent/agents.ts';

/** Token counts from the transcript. `input` excludes what was read from or written to the cache. */
export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Usage of a single request to a model. */
export interface RequestUsage extends Tokens {
  /** Shared by all lines of a request, and by their copies in forks. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  model: string | null;
  /** The line was copied from another session. */
  copied: boolean;
}

/** Usage of a session on one day with one model. */
export interface SessionUsage extends Tokens {
  sessionId: string;
  /** YYYY-MM-DD in this machine's time zone. */
  date: string;
  model: string | null;
  requests: number;
}

/** A session whose usage is counted. */
export interface UsageSource {
  agent: Agent;
  repo: string;
}

/** The user's price per million tokens, in a currency of their choice. */
export interface Price {
  /** A model's name; a trailing `*` matches any ending. */
  model: string;
  input: number;
  output: number;
  /** Defaults to `input`. */
  cache_read?: number;
  cache_write?: number;
}

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
