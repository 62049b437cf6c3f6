import type { Marker } from '../session/session.ts';
import { type Formula, STANDARD } from './ranking.ts';

/** The composite score from the requirements document, verbatim. */
export const PRD_WEIGHTS = {
  best_similarity: 0.4,
  average_similarity: 0.2,
  chunk_ratio: 0.05,
  recency: 0.25,
  chain_quality: 0.1,
} as const;
type PrdPart = keyof typeof PRD_WEIGHTS;

const RELEVANT = 0.3;
const RECENCY_DAYS = 30;
/** The quality of a session without forks. */
const NEUTRAL_CHAIN = 0.5;
const DAY_MS = 86_400_000;
const BOOSTS: Record<Marker, number> = { PATTERN: 1.05, WORKING_SOLUTION: 1.08, WAITING: 1.02 };

interface PrdScore {
  score: number;
  parts: Record<PrdPart, number>;
  boost: number;
}

interface PrdSession {
  /** Cosine of the query with every chunk of the session. */
  similarities: number[];
  endedAt: string | null;
  markers: Marker[];
  /** The share of its forks that succeeded; null without forks. */
  chainQuality: number | null;
}

/** @param now milliseconds since the epoch */
export function prdScore(
  { similarities, endedAt, markers, chainQuality }: PrdSession,
  now: number,
  { threshold, recencyDays, recentBoost }: Formula = STANDARD,
): PrdScore {
  const count = Math.max(1, similarities.length);
  const days =
    endedAt === null ? Number.POSITIVE_INFINITY : Math.floor(Math.max(0, now - Date.parse(endedAt)) / DAY_MS);
  const parts: Record<PrdPart, number> = {
    best_similarity: similarities.reduce((best, one) => Math.max(best, one), similarities[0] ?? 0),
    average_similarity: similarities.reduce((sum, one) => sum + one, 0) / count,
    chunk_ratio: similarities.filter((one) => one > (threshold ?? RELEVANT)).length / count,
    recency: recentBoost ? Math.exp(-days / (recencyDays ?? RECENCY_DAYS)) : 0,
    chain_quality: chainQuality ?? NEUTRAL_CHAIN,
  };
  // The document assumes one memory type per session; if there are several, the strongest counts.
  const boost = Math.max(1, ...markers.map((marker) => BOOSTS[marker]));
  const sum = Object.entries(PRD_WEIGHTS).reduce(
    (total, [part, weight]) => total + weight * parts[part as PrdPart],
    0,
  );
  return { score: sum * boost, parts, boost };
}
