import { costOf, type Price, priceOf, type SessionUsage, type UsageSource } from './usage.ts';

/** The cost is present only if the user has set prices. */
export interface UsageNumbers {
  sessions: number;
  /** Number of requests to a model. */
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost?: number;
}

export interface UsageGroup extends UsageNumbers {
  value: string;
}

export interface UsageRow extends UsageNumbers {
  date: string;
  agent: string;
  model: string | null;
  repo: string;
}

export interface UsageReport {
  totals: UsageNumbers;
  by_model: UsageGroup[];
  by_agent: UsageGroup[];
  by_repo: UsageGroup[];
  /** Newest first. */
  by_day: UsageGroup[];
  /** By day, agent, model and repository; oldest first. */
  rows: UsageRow[];
  /** Models without a price, whose cost is not counted. Absent if no prices are set. */
  without_price?: string[];
}

export const USAGE_GROUPINGS = ['model', 'agent', 'repo', 'day', 'repository'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

const UNKNOWN_MODEL = '(unknown)';

type Entry = SessionUsage & UsageSource;

/** Sums up the usage of sessions; groups with the most output come first. */
export function reportUsage(
  usage: SessionUsage[],
  sessions: Map<string, UsageSource>,
  prices: Price[],
): UsageReport {
  const entries = usage.flatMap((one): Entry[] => {
    const session = sessions.get(one.sessionId);
    return session === undefined ? [] : [{ ...one, ...session }];
  });
  const groups = (value: (entry: Entry) => string) =>
    grouped(entries, value).map(([name, own]) => ({ value: name, ...numbersOf(own, prices) }));
  const rows = grouped(entries, ({ date, agent, model, repo }) => JSON.stringify([date, agent, model, repo]));
  const unpriced = entries.filter(({ model }) => priceOf(model, prices) === null);
  return {
    totals: numbersOf(entries, prices),
    by_model: groups(modelName).sort(byOutput),
    by_agent: groups(({ agent }) => agent).sort(byOutput),
    by_repo: groups(({ repo }) => repo).sort(byOutput),
    by_day: groups(({ date }) => date).sort((a, b) => (a.value < b.value ? 1 : -1)),
    rows: rows
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, [first, ...others]]) => (first === undefined ? [] : [rowOf(first, others, prices)])),
    without_price: prices.length > 0 ? [...new Set(unpriced.map(modelName))].sort() : undefined,
  };
}

function modelName({ model }: Entry): string {
  return model ?? UNKNOWN_MODEL;
}

function grouped(entries: Entry[], value: (entry: Entry) => string): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(value(entry));
    if (group === undefined) groups.set(value(entry), [entry]);
    else group.push(entry);
  }
  return [...groups];
}

function byOutput(one: UsageGroup, other: UsageGroup): number {
  return other.output_tokens - one.output_tokens || (one.value < other.value ? -1 : 1);
}

function rowOf(first: Entry, others: Entry[], prices: Price[]): UsageRow {
  const { date, agent, model, repo } = first;
  return { date, agent, model, repo, ...numbersOf([first, ...others], prices) };
}

function numbersOf(entries: Entry[], prices: Price[]): UsageNumbers {
  const sum = (value: (entry: Entry) => number) => entries.reduce((total, entry) => total + value(entry), 0);
  const cost = (entry: Entry) => {
    const price = priceOf(entry.model, prices);
    return price === null ? 0 : costOf(entry, price);
  };
  return {
    sessions: new Set(entries.map(({ sessionId }) => sessionId)).size,
    requests: sum(({ requests }) => requests),
    input_tokens: sum(({ input }) => input),
    output_tokens: sum(({ output }) => output),
    cache_read_tokens: sum(({ cacheRead }) => cacheRead),
    cache_write_tokens: sum(({ cacheWrite }) => cacheWrite),
    cost: prices.length > 0 ? Math.round(sum(cost) * 1e6) / 1e6 : undefined,
  };
}
