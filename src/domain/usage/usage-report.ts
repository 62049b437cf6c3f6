import type * as z from 'zod';
import type { sessionTokens, usageNumbers, usageReport } from '../json/state.ts';
import { costOf, PRICES, type Price, priceOf } from './price.ts';
import type { SessionHour, SessionUsage, UsageSource } from './usage.ts';

export type UsageNumbers = z.infer<typeof usageNumbers>;
export type UsageReport = z.infer<typeof usageReport>;
export type UsageGroup = UsageReport['by_model'][number];
export type UsageRow = UsageReport['rows'][number];
/** Usage of one session. */
export type SessionTokens = z.infer<typeof sessionTokens>;

export const USAGE_GROUPINGS = ['model', 'agent', 'day', 'repo', 'repository'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

const UNKNOWN_MODEL = '(unknown)';

type Costed = SessionUsage & { cost: number | null };
type Entry = Costed & UsageSource;

/** Sums up the usage of sessions; groups with the most output come first. */
export function reportUsage(
  { usage, hours }: { usage: SessionUsage[]; hours: SessionHour[] },
  sessions: Map<string, UsageSource>,
  prices: Price[],
): UsageReport {
  const entries = usage.flatMap((one): Entry[] => {
    const session = sessions.get(one.sessionId);
    return session === undefined ? [] : [{ ...costed(one, prices), ...session }];
  });
  const groups = (value: (entry: Entry) => string) =>
    grouped(entries, value).map(([name, own]) => ({ value: name, ...numbersOf(own) }));
  const rows = grouped(entries, ({ date, agent, model, repo }) => JSON.stringify([date, agent, model, repo]));
  return {
    totals: numbersOf(entries),
    by_model: groups(modelName).sort(byCost),
    by_agent: groups(({ agent }) => agent).sort(byCost),
    by_repo: groups(({ repo }) => repo).sort(byCost),
    by_day: groups(({ date }) => date).sort((a, b) => (a.value < b.value ? 1 : -1)),
    by_hour: sumHours(hours.filter(({ sessionId }) => sessions.has(sessionId))),
    rows: rows
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, [first, ...others]]) => (first === undefined ? [] : [rowOf(first, others)])),
    without_price: withoutPrice(entries),
    prices: PRICES,
  };
}

/** Usage by session. */
export function sumBySession(usage: SessionUsage[], prices: Price[]): Map<string, SessionTokens> {
  const entries = usage.map((one) => costed(one, prices));
  const groups = grouped(entries, ({ sessionId }) => sessionId);
  return new Map(groups.map(([id, own]) => [id, { ...numbersOf(own), without_price: withoutPrice(own) }]));
}

function sumHours(hours: SessionHour[]): UsageReport['by_hour'] {
  const sums = new Map<number, number>();
  for (const { weekday, hour, requests } of hours) {
    const at = weekday * 24 + hour;
    sums.set(at, (sums.get(at) ?? 0) + requests);
  }
  return [...sums]
    .sort(([one], [other]) => one - other)
    .map(([at, requests]) => ({ weekday: Math.floor(at / 24), hour: at % 24, requests }));
}

function costed(usage: SessionUsage, prices: Price[]): Costed {
  const price = priceOf(usage.model, prices);
  return { ...usage, cost: price === null ? null : costOf(usage, price) };
}

function withoutPrice(entries: Costed[]): string[] {
  return [...new Set(entries.filter(({ cost }) => cost === null).map(modelName))].sort();
}

function modelName({ model }: Costed): string {
  return model ?? UNKNOWN_MODEL;
}

function grouped<E extends Costed>(entries: E[], value: (entry: E) => string): [string, E[]][] {
  const groups = new Map<string, E[]>();
  for (const entry of entries) {
    const group = groups.get(value(entry));
    if (group === undefined) groups.set(value(entry), [entry]);
    else group.push(entry);
  }
  return [...groups];
}

/** Those without a price last, by their output. */
function byCost(one: UsageGroup, other: UsageGroup): number {
  const dearer = (other.cost ?? -1) - (one.cost ?? -1);
  return dearer || other.output_tokens - one.output_tokens || (one.value < other.value ? -1 : 1);
}

function rowOf(first: Entry, others: Entry[]): UsageRow {
  const { date, agent, model, repo } = first;
  return { date, agent, model, repo, ...numbersOf([first, ...others]) };
}

function numbersOf(entries: Costed[]): UsageNumbers {
  const sum = (value: (entry: Costed) => number) => entries.reduce((total, entry) => total + value(entry), 0);
  const requests = sum((entry) => entry.requests);
  const unpriced = sum((entry) => (entry.cost === null ? entry.requests : 0));
  return {
    sessions: new Set(entries.map(({ sessionId }) => sessionId)).size,
    requests,
    input_tokens: sum(({ input }) => input),
    output_tokens: sum(({ output }) => output),
    cache_read_tokens: sum(({ cacheRead }) => cacheRead),
    cache_write_tokens: sum(({ cacheWrite }) => cacheWrite),
    cost:
      requests > 0 && unpriced === requests
        ? undefined
        : Math.round(sum(({ cost }) => cost ?? 0) * 1e6) / 1e6,
    unpriced_requests: unpriced,
    partial_requests: sum(({ partial = 0 }) => partial),
  };
}
