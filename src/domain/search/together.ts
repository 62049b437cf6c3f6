/** Sessions that together cover what none of them covers alone. */
export interface Together {
  /** Two or three session ids, the one that covers most of the query first. */
  session_ids: string[];
  /** The share of the query's words that they cover together, weighted by IDF, 0 to 1. */
  coverage: number;
  /** The largest share that a single result covers. */
  alone: number;
}

/** A session that covers more is enough on its own. */
const ENOUGH_ALONE = 0.75;
/** Sessions that cover less do not answer the query together either. */
const ENOUGH_TOGETHER = 0.9;
/** What each session must add: a share of the query, and more than one word, because a single word may occur anywhere. */
const MIN_ADDED = 0.1;
const MIN_WORDS = 2;
const MAX_SESSIONS = 3;

/**
 * The sessions that together cover a query, if no single session does; null otherwise.
 * @param held the stems of the query in each result, best result first.
 * @param weights the IDF of each stem.
 */
export function coverTogether(held: Map<string, Set<string>>, weights: Map<string, number>): Together | null {
  const total = weigh(weights.keys(), weights);
  if (total === 0) return null;
  const share = (stems: Iterable<string>) => weigh(stems, weights) / total;
  const alone = Math.max(0, ...[...held.values()].map(share));
  if (alone >= ENOUGH_ALONE) return null;
  const covered = new Set<string>();
  const session_ids: string[] = [];
  while (session_ids.length < MAX_SESSIONS) {
    const added = [...held].map(([id, all]) => {
      const stems = difference(all, covered);
      return { id, stems, share: share(stems) };
    });
    const best = added.reduce<(typeof added)[number] | null>(
      (most, one) => (one.share > (most?.share ?? 0) ? one : most),
      null,
    );
    if (best === null || best.share < MIN_ADDED || best.stems.length < MIN_WORDS) break;
    session_ids.push(best.id);
    for (const stem of best.stems) covered.add(stem);
  }
  const coverage = share(covered);
  return coverage >= ENOUGH_TOGETHER && session_ids.length > 1 ? { session_ids, coverage, alone } : null;
}

function weigh(stems: Iterable<string>, weights: Map<string, number>): number {
  let sum = 0;
  for (const stem of stems) sum += weights.get(stem) ?? 0;
  return sum;
}

function difference(stems: Set<string>, covered: Set<string>): string[] {
  return [...stems].filter((stem) => !covered.has(stem));
}
