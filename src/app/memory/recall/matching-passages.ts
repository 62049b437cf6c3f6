import { scaled, shares } from '../../../domain/memory/recall/rank-memory.ts';
import { type BestTurn, bestTurn } from '../../../domain/memory/recall/read-passage.ts';
import type { ChunkPayload, TextPayload } from '../../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import { rankSessions, weightsFor } from '../../../domain/search/ranking.ts';
import type { Hit, RankedLists } from '../../../domain/search/search.ts';
import type { AskedMemory } from './ask-memory.ts';

export interface MatchingPassage {
  id: string;
  payload: ChunkPayload;
  /** 0 to 1. */
  value: number;
  /** For the best ones: the turn that matches best. */
  best?: BestTurn;
}

const WORDS = 0.6;
const MAX_READ = 40;

/** Best first. */
export function matchingPassages(
  lists: RankedLists,
  points: Map<string, TextPayload>,
  { stems, tokenizer }: { stems: Map<string, number>; tokenizer: LexicalTokenizer },
): MatchingPassage[] {
  const byWords = shares(lists.chunksByWords, byPoint);
  const byVector = scaled(lists.chunksByVector, byPoint);
  const ofWords = lists.chunksByVector === null ? 1 : WORDS;
  const found: MatchingPassage[] = [];
  for (const id of new Set([...byWords.keys(), ...byVector.keys()])) {
    const payload = points.get(id);
    const value = ofWords * (byWords.get(id) ?? 0) + (1 - ofWords) * (byVector.get(id) ?? 0);
    if (payload?.type === 'chunk') found.push({ id, payload, value });
  }
  return found
    .sort((a, b) => b.value - a.value)
    .map((one, at) => (at < MAX_READ ? { ...one, best: bestTurn(one.payload, stems, tokenizer) } : one));
}

/** Scores of ideas, topics and sessions in the lists, 0 to 1. */
export function listScores({ memory, lists }: AskedMemory) {
  const words = shares(memory.ideasByWords, byPoint);
  const vectors = scaled(memory.ideasByVector, byPoint);
  const topicWords = shares(memory.spansByWords, byPoint);
  const topicVectors = scaled(memory.spansByVector, byPoint);
  const ranked = rankSessions(lists, weightsFor(lists), 0);
  const best = ranked[0]?.similarity || 1;
  const sessions = new Map(ranked.map(({ session_id, similarity }) => [session_id, similarity / best]));
  return {
    words: (id: string) => words.get(id) ?? 0,
    vectors: (id: string) => vectors.get(id) ?? 0,
    topic: (id: string) => Math.max(topicWords.get(id) ?? 0, topicVectors.get(id) ?? 0),
    session: (id: string) => sessions.get(id) ?? 0,
  };
}

function byPoint({ point_id }: Hit): string {
  return point_id;
}
