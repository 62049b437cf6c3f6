import { recency } from '../../search/ranking.ts';
import type { Hit } from '../../search/search.ts';
import type { IdeaKind } from '../../session/ideas.ts';

/** The parts of a candidate's score, one per ranked list. */
const MEMORY_PARTS = ['words', 'vectors', 'topic', 'passage', 'session'] as const;
type MemoryPart = (typeof MEMORY_PARTS)[number];
export type MemoryParts = Record<MemoryPart, number>;

export interface Candidate {
  id: string;
  parts: MemoryParts;
  /** An idea's confidence; 1 for anything else. */
  confidence: number;
  kind: IdeaKind | null;
  open: boolean | null;
  hasEntity: boolean;
  timestamp: string | null;
}

export interface Wanted {
  kinds: IdeaKind[] | null;
  open: boolean | null;
  newest: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** Measured on the tuning half of the questions (docs/memory.md). */
const WEIGHTS: MemoryParts = { words: 0.12, vectors: 0.1, topic: 0.02, passage: 0.2, session: 0.7 };
/** Factor for ideas of a kind that the query does not ask for. */
const OTHER_KIND = 0.9;
/** Factor for closed ideas when the query asks for open ones. */
const NOT_OPEN = 0.8;
const ENTITY = 0.04;
const RECENCY = 0.05;
const RECENCY_DAYS = 90;

/** The weighted sum of the parts, times confidence and kind; recency counts only if the query asks for it. */
export function scoreCandidate(candidate: Candidate, wanted: Wanted): number {
  const { parts, confidence, hasEntity, timestamp } = candidate;
  const sum = MEMORY_PARTS.reduce((total, part) => total + WEIGHTS[part] * parts[part], 0);
  const fresh = wanted.newest ? RECENCY * recency(timestamp, wanted.now, RECENCY_DAYS) : 0;
  return (sum + (hasEntity ? ENTITY : 0)) * fits(candidate, wanted) * (0.8 + 0.2 * confidence) + fresh;
}

function fits({ kind, open }: Candidate, wanted: Wanted): number {
  if (wanted.kinds === null) return 1;
  const isKind = kind !== null && wanted.kinds.includes(kind);
  if (wanted.open === null) return isKind ? 1 : OTHER_KIND;
  return isKind && open === wanted.open ? 1 : NOT_OPEN;
}

/** Each hit's score relative to the best, 0 to 1, by key. */
export function shares(hits: Hit[] | null, key: (hit: Hit) => string): Map<string, number> {
  const best = hits?.[0]?.score ?? 0;
  return byKey(hits, key, (score) => (best > 0 ? Math.max(0, score) / best : 0));
}

/** Each hit's cosine scaled between the last and the best one, 0 to 1, by key. */
export function scaled(hits: Hit[] | null, key: (hit: Hit) => string): Map<string, number> {
  const high = hits?.[0]?.score ?? 0;
  const low = hits?.at(-1)?.score ?? 0;
  return byKey(hits, key, (score) => (high > low ? (score - low) / (high - low) : 1));
}

function byKey(
  hits: Hit[] | null,
  key: (hit: Hit) => string,
  scale: (score: number) => number,
): Map<string, number> {
  const best = new Map<string, number>();
  for (const hit of hits ?? []) if (!best.has(key(hit))) best.set(key(hit), scale(hit.score));
  return best;
}
