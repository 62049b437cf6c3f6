import type { Agent } from '../agent/agents.ts';

/** Token counts from the transcript. `input` excludes what was read from or written to the cache. */
export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour; absent if the transcript does not tell. */
  cacheWriteHour?: number;
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
  /** The line was written before the answer was complete: `output` is what there was by then. */
  partial?: boolean;
}

/** Contexts above which some models cost more, in tokens; the largest first. */
export const CONTEXT_TIERS = [512_000, 272_000, 256_000, 200_000, 128_000, 100_000, 32_000] as const;

/** Usage of a session on one day with one model, by requests of one tier. */
export interface SessionUsage extends Tokens {
  sessionId: string;
  /** The largest tier that the requests' contexts exceed, or 0. */
  contextAbove: number;
  /** YYYY-MM-DD in this machine's time zone. */
  date: string;
  model: string | null;
  requests: number;
  /** Requests of which no line has the whole output. */
  partial?: number;
}

/** Requests of a session in an hour of the week, in this machine's time zone. */
export interface SessionHour {
  sessionId: string;
  /** 0 is Monday. */
  weekday: number;
  /** 0 to 23. */
  hour: number;
  requests: number;
}

/** A session whose usage is counted. */
export interface UsageSource {
  agent: Agent;
  repo: string;
}

/** Dollars per million tokens, for requests whose context is larger than `above` tokens. */
export type PriceTier = readonly [
  above: number,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
  /** Of what is kept in the cache for an hour, not five minutes. */
  cacheWriteHour: number,
];

/** What a request sent and got: the context after it. */
export function totalOf({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}
