import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import type { Candidate, MemoryParts } from '../../../domain/memory/recall/rank-memory.ts';
import type { BestTurn } from '../../../domain/memory/recall/read-passage.ts';
import type { ChunkPayload, IdeaPayload, SpanPayload, TextPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { ideaId } from '../idea-view.ts';
import type { AskedMemory } from './ask-memory.ts';
import { isWithin } from './collect-quotations.ts';
import { listScores, type MatchingPassage, matchingPassages } from './matching-passages.ts';

/** A candidate for a line of the answer. */
export interface Found {
  candidate: Candidate;
  payload: IdeaPayload | SpanPayload | ChunkPayload;
  /** For a passage: the turn that matches best. */
  best?: BestTurn;
}

interface Wanted {
  entities: string[];
  byEntity: IdeaPayload[];
  /** The question's stems and their weights. */
  stems: Map<string, number>;
  /** Conditions for ideas and passages. */
  memory: MemoryFilter;
}

/** Maximum number of sessions whose ideas all count because a passage matches. */
const MAX_SESSIONS = 12;
const MAX_IDEAS = 2000;
/** Maximum number of passages that are candidates themselves. */
const MAX_PASSAGES = 20;
/** Weight of a passage for ideas from turns other than the matching one. */
const OTHER_TURN = 0.6;

/** The matching ideas, topics and passages, and the ideas near a matching passage. */
export async function collectCandidates(
  { store, tokenizer }: { store: PointStore; tokenizer: LexicalTokenizer },
  asked: AskedMemory,
  wanted: Wanted,
): Promise<{ found: Found[]; ideas: IdeaPayload[]; passages: string[] }> {
  const { memory, lists } = asked;
  const hits = [...Object.values(memory), lists.chunksByWords, lists.chunksByVector];
  const ids = hits.flatMap((list) => list ?? []).map(({ point_id }) => point_id);
  const stored = await store.getPoints([...new Set(ids)]);
  const points = new Map(stored.map(({ id, payload }) => [id, payload]));
  const passages = matchingPassages(lists, points, { stems: wanted.stems, tokenizer }).filter(({ payload }) =>
    isWithin(payload, wanted.memory),
  );
  const near = await ideasOf(store, passages, wanted.memory);
  const ideas = [...near, ...wanted.byEntity, ...points.values()].filter((one) => one.type === 'idea');
  const unique = new Map(ideas.map((idea) => [ideaId(idea), idea]));
  return {
    found: candidates(asked, points, passages, unique, wanted.entities),
    ideas: [...unique.values()],
    passages: passages.slice(0, MAX_PASSAGES).map(({ payload }) => payload.content),
  };
}

async function ideasOf(
  store: PointStore,
  passages: MatchingPassage[],
  memory: MemoryFilter,
): Promise<IdeaPayload[]> {
  const all = new Set(passages.map(({ payload }) => payload.session_id));
  const sessionIds = [...all].slice(0, MAX_SESSIONS);
  return sessionIds.length === 0
    ? []
    : store.listMemory('idea', { ...memory, sessions: { sessionIds } }, MAX_IDEAS);
}

function candidates(
  asked: AskedMemory,
  points: Map<string, TextPayload>,
  passages: MatchingPassage[],
  ideas: Map<string, IdeaPayload>,
  entities: string[],
): Found[] {
  const { words, vectors, topic, session } = listScores(asked);
  const found: Found[] = [];
  for (const [id, payload] of ideas) {
    const parts: MemoryParts = {
      words: words(id),
      vectors: vectors(id),
      topic: topic(pointId(payload.session_id, 'span', payload.span)),
      passage: Math.max(0, ...passages.map((passage) => passage.value * held(passage, payload))),
      session: session(payload.session_id),
    };
    found.push({ candidate: candidateOf(payload, parts, entities), payload });
  }
  for (const [id, payload] of points) {
    if (payload.type !== 'span') continue;
    const parts = { ...NO_PARTS, topic: topic(id), session: session(payload.session_id) };
    found.push({ candidate: plain(id, parts, payload.ended_at), payload });
  }
  for (const { id, payload, value, best } of passages.slice(0, MAX_PASSAGES)) {
    const parts = { ...NO_PARTS, passage: value, session: session(payload.session_id) };
    found.push({ candidate: plain(id, parts, payload.timestamp), payload, best });
  }
  return found;
}

const NO_PARTS: MemoryParts = { words: 0, vectors: 0, topic: 0, passage: 0, session: 0 };

export function candidateOf(
  idea: IdeaPayload,
  parts: MemoryParts = NO_PARTS,
  entities: string[] = [],
): Candidate {
  const { kind, is_open: open, confidence, timestamp } = idea;
  const hasEntity = entities.some((entity) => idea.entities.includes(entity));
  return { id: ideaId(idea), parts, confidence, kind, open, hasEntity, timestamp };
}

function plain(id: string, parts: MemoryParts, timestamp: string | null): Candidate {
  return { id, parts, confidence: 1, kind: null, open: null, hasEntity: false, timestamp };
}

/** How strongly a passage supports an idea: most if the idea is from the matching turn. */
function held({ payload, best }: MatchingPassage, idea: IdeaPayload): number {
  if (payload.session_id !== idea.session_id || payload.subagent !== undefined) return 0;
  if (best?.turn === idea.turn) return 1;
  const { timestamp, ended_at } = payload;
  if (idea.timestamp === null || timestamp === null || ended_at === null)
    return payload.turn === idea.turn ? OTHER_TURN : 0;
  return timestamp <= idea.timestamp && idea.timestamp <= ended_at ? OTHER_TURN : 0;
}
