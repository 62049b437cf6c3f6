import type { Hit, RankedLists } from './search.ts';

/** Parts of the default score (docs/internals/ranking.md), each 0 to 1. */
export const PARTS = ['session_words', 'chunk_words', 'chunk_vectors', 'intent_vectors', 'recency'] as const;
export type Part = (typeof PARTS)[number];
export type Weights = Record<Part, number>;

/** The weight of recency, and the days after which it has faded to 1/e. */
const RECENCY_WEIGHT = 0.05;
const RECENCY_DAYS = 7;

/** What the user's settings say of a formula. */
export interface Formula {
  /** Similarity above which the formula of the requirements document takes a passage as relevant, and below which it leaves a session out. Null: the formula's own, and no session is left out. */
  threshold: number | null;
  /** Null: the formula's own. */
  recencyDays: number | null;
  /** Whether recent sessions rank higher. */
  recentBoost: boolean;
}

export const STANDARD: Formula = { threshold: null, recencyDays: null, recentBoost: true };
const DAY_MS = 86_400_000;

export interface RankedSession {
  session_id: string;
  score: number;
  /** The score without recency, used for the confidence. */
  similarity: number;
  parts: Record<Part, number>;
  best: { chunkByWords: Hit | null; chunkByVector: Hit | null; intent: Hit | null };
}

/** The weights for the lists that were searched: keyword only, keyword and intent vectors, all, or vectors only. */
export function weightsFor(lists: RankedLists, { recentBoost }: Formula = STANDARD): Weights {
  const words = lists.sessionsByWords !== null;
  const chunks = lists.chunksByVector !== null;
  const intents = lists.intentsByVector !== null;
  const weigh = (session: number, chunk: number, chunkVector: number, intentVector: number): Weights => ({
    session_words: session,
    chunk_words: chunk,
    chunk_vectors: chunkVector,
    intent_vectors: intentVector,
    recency: recentBoost ? RECENCY_WEIGHT : 0,
  });
  if (words && chunks && intents) return weigh(0.35, 0.35, 0.15, 0.15);
  if (words && chunks) return weigh(0.4, 0.4, 0.2, 0);
  if (words && intents) return weigh(0.4, 0.4, 0, 0.2);
  if (words) return weigh(0.5, 0.5, 0, 0);
  return chunks && intents ? weigh(0, 0, 0.5, 0.5) : weigh(0, 0, chunks ? 1 : 0, intents ? 1 : 0);
}

/**
 * Ranks sessions. Keyword lists are divided by their best score, vector lists scaled from the last to the best cosine; absence from a
 * list counts as 0. Recency is added.
 * @param now milliseconds since the epoch.
 */
export function rankSessions(
  lists: RankedLists,
  weights: Weights,
  now: number,
  { recencyDays }: Formula = STANDARD,
): RankedSession[] {
  const sessionWords = shareOfBest(lists.sessionsByWords);
  const chunkWords = shareOfBest(lists.chunksByWords);
  const chunkVectors = betweenLastAndBest(lists.chunksByVector);
  const intentVectors = betweenLastAndBest(lists.intentsByVector);
  const endings = new Map<string, string | null>();
  for (const list of Object.values(lists))
    for (const hit of list ?? []) endings.set(hit.session_id, hit.ended_at);

  const ranked = [...endings].map(([id, endedAt]): RankedSession => {
    const parts: Record<Part, number> = {
      session_words: sessionWords.get(id)?.value ?? 0,
      chunk_words: chunkWords.get(id)?.value ?? 0,
      chunk_vectors: chunkVectors.get(id)?.value ?? 0,
      intent_vectors: intentVectors.get(id)?.value ?? 0,
      recency: recency(endedAt, now, recencyDays ?? RECENCY_DAYS),
    };
    const score = PARTS.reduce((sum, part) => sum + weights[part] * parts[part], 0);
    return {
      session_id: id,
      score,
      similarity: score - weights.recency * parts.recency,
      parts,
      best: {
        chunkByWords: chunkWords.get(id)?.hit ?? null,
        chunkByVector: chunkVectors.get(id)?.hit ?? null,
        intent: intentVectors.get(id)?.hit ?? null,
      },
    };
  });
  return ranked.sort((a, b) => b.score - a.score || (a.session_id < b.session_id ? -1 : 1));
}

/** exp(-age / days). A future time counts as now; a missing one gives 0. */
export function recency(endedAt: string | null, now: number, days: number): number {
  if (endedAt === null) return 0;
  return Math.exp(-Math.max(0, now - Date.parse(endedAt)) / DAY_MS / days);
}

type BestOfSession = Map<string, { value: number; hit: Hit }>;

function shareOfBest(list: Hit[] | null): BestOfSession {
  const best = list?.[0]?.score ?? 0;
  return bestOfSession(list, (score) => (best > 0 ? Math.max(0, score) / best : 0));
}

function betweenLastAndBest(list: Hit[] | null): BestOfSession {
  const high = list?.[0]?.score ?? 0;
  const low = list?.at(-1)?.score ?? 0;
  return bestOfSession(list, (score) => (high > low ? (score - low) / (high - low) : 1));
}

function bestOfSession(list: Hit[] | null, scale: (score: number) => number): BestOfSession {
  const best: BestOfSession = new Map();
  for (const hit of list ?? []) {
    if (!best.has(hit.session_id)) best.set(hit.session_id, { value: scale(hit.score), hit });
  }
  return best;
}
