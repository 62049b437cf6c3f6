import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import { findQuotations, type Quotation, scoreSigns } from '../../../domain/memory/recall/rank-statements.ts';
import { readStatements, type SaidMessage } from '../../../domain/memory/recall/read-statements.ts';
import type { ChunkPayload, IdeaPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { SearchResult } from '../../../domain/search-result.ts';
import type { IdeaKind } from '../../../domain/session/ideas.ts';
import type { Embedding } from '../../../ports/embedder.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { LocateDependencies } from '../../sessions/locate-session.ts';
import type { RelatedIdeas } from '../related-ideas.ts';

const MAX_PASSAGES = 100;
/** For an idea that was replaced, instead of its confidence. */
const REPLACED = -3;

export interface AnswerDependencies extends LocateDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
  embedding: Pick<Embedding, 'state' | 'queries' | 'embedder'>;
}

export interface Asked {
  question: string;
  /** Its further phrasings. */
  also: string[];
  stems: Map<string, number>;
  /** The best sessions, best first. */
  sessions: Pick<SearchResult, 'session_id' | 'score'>[];
  /** Ideas of these sessions. */
  ideas: IdeaPayload[];
  related: RelatedIdeas;
  memory: MemoryFilter;
  /** Only what the user said, questions too. */
  mine: boolean;
  limit: number;
}

/** A quotation that may answer the question. */
export interface Answering {
  session_id: string;
  quotation: Quotation;
  /** The conversation that it is from. */
  messages: SaidMessage[];
  idea: IdeaPayload | null;
  signs: Parameters<typeof scoreSigns>[0];
  score: number;
}

/** What the best sessions say to a question, each quotation with its score, in no order. */
export async function collectQuotations(deps: AnswerDependencies, asked: Asked): Promise<Answering[]> {
  const { question, stems, sessions, related } = asked;
  const passages = await passagesOf(deps, asked);
  const best = sessions[0]?.score || 1;
  return sessions.flatMap(({ session_id, score: ofSession }, rank) => {
    const own = passages.filter((passage) => passage.session_id === session_id);
    const ideas = asked.ideas.filter((idea) => idea.session_id === session_id);
    const messages = withIdeas(conversations(own).map(readStatements), ideas);
    return messages
      .flatMap((conversation) =>
        findQuotations(conversation, { question, stems }, deps.tokenizer).map((quotation) => ({
          quotation,
          messages: conversation,
        })),
      )
      .filter(
        ({ quotation: { message, signs } }) =>
          !asked.mine || (message.by === 'user' && signs.own + signs.quoted > 0),
      )
      .map(({ quotation, messages }): Answering => {
        const idea = ideaIn(quotation, ideas);
        const isReplaced = idea !== null && related.replacementOf(idea) !== null;
        const signs = {
          ...quotation.signs,
          asks: asked.mine ? 0 : quotation.signs.asks,
          session: ofSession / best,
          first: Number(rank === 0),
          idea: isReplaced ? REPLACED : (idea?.confidence ?? 0),
        };
        return { session_id, quotation, messages, idea, signs, score: scoreSigns(signs) };
      });
  });
}

/** The best passages of the sessions, and those that follow them: an answer comes after its question. */
async function passagesOf({ store, tokenizer }: AnswerDependencies, asked: Asked): Promise<ChunkPayload[]> {
  const { question, also, sessions, memory } = asked;
  const sessionIds = sessions.map(({ session_id }) => session_id);
  if (sessionIds.length === 0) return [];
  const phrase = (text: string) => ({ tokens: tokenizer.tokens(text), vector: null });
  const found = await store.find({
    ...phrase(question),
    also: also.map(phrase),
    filter: { sessionIds },
    limits: { sessions: 1, chunks: MAX_PASSAGES, intents: 1 },
  });
  const hits = [found.lists, ...found.also].flatMap(({ chunksByWords }) => chunksByWords ?? []);
  const ids = new Set(hits.map(({ point_id }) => point_id));
  const best = chunksIn(await store.getPoints([...ids]));
  const after = best
    .map(({ session_id, chunk_index }) => pointId(session_id, 'chunk', chunk_index + 1))
    .filter((id) => !ids.has(id));
  const next = after.length === 0 ? [] : chunksIn(await store.getPoints(after));
  return [...best, ...next].filter((passage) => isWithin(passage, memory));
}

export function chunksIn(points: Awaited<ReturnType<PointStore['getPoints']>>): ChunkPayload[] {
  return points.flatMap(({ payload }) => (payload.type === 'chunk' ? [payload] : []));
}

/** Passages in order, by conversation: the session's own, and each subagent's. */
function conversations(passages: ChunkPayload[]): ChunkPayload[][] {
  const groups = new Map<string, ChunkPayload[]>();
  for (const passage of passages.sort((a, b) => a.chunk_index - b.chunk_index))
    groups.set(passage.subagent ?? '', [...(groups.get(passage.subagent ?? '') ?? []), passage]);
  return [...groups.values()];
}

export function isWithin({ timestamp, ended_at }: ChunkPayload, { since, until }: MemoryFilter): boolean {
  const isAfter = since === undefined || ended_at === null || Date.parse(ended_at) >= Date.parse(since);
  return isAfter && (until === undefined || timestamp === null || Date.parse(timestamp) <= Date.parse(until));
}

/** A choice among options, and what an agent or a model noted, also answer in their own words; each after the messages of its turn. */
function withIdeas(conversations: SaidMessage[][], ideas: IdeaPayload[]): SaidMessage[][] {
  const said = ideas.filter(
    ({ kind, evidence, origin }) => ANSWERING.has(kind) && (evidence === 'choice' || origin !== 'transcript'),
  );
  const [own = [], ...others] = conversations;
  const messages = [...own];
  const alone: SaidMessage[] = [];
  for (const { turn, timestamp, content, evidence } of said) {
    const isChoice = evidence === 'choice';
    const message: SaidMessage = {
      by: isChoice ? 'user' : 'agent',
      turn,
      timestamp,
      isReply: isChoice,
      isIdea: true,
      statements: [{ text: content, label: '', form: 'sentence' }],
    };
    const last = messages.findLastIndex((one) => one.turn === turn);
    if (last < 0) alone.push(message);
    else messages.splice(last + 1, 0, message);
  }
  return [messages, ...others, ...alone.map((message) => [message])];
}

const ANSWERING = new Set<IdeaKind>(['decision', 'conclusion', 'problem', 'solution', 'context']);

const FIXED = /^(?:fixed|solved|resolved)\b/i;

/** The surest idea that the quotation states. */
function ideaIn({ message, first, last }: Quotation, ideas: IdeaPayload[]): IdeaPayload | null {
  const texts = message.statements.slice(first, last + 1).map(({ text }) => text);
  const states = ({ content, quote }: IdeaPayload) =>
    texts.some((text) => text === content || text.includes(quote) || quote.includes(text));
  // "Fixed! The issue was …" is no problem any more.
  const isFixed = texts.some((text) => FIXED.test(text));
  const stated = ideas.filter(
    (idea) =>
      idea.turn === message.turn &&
      ANSWERING.has(idea.kind) &&
      !(isFixed && idea.kind === 'problem') &&
      states(idea),
  );
  return stated.sort((a, b) => b.confidence - a.confidence)[0] ?? null;
}
