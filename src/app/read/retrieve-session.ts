import type { SummaryLine } from '../../domain/memory/summarize.ts';
import { contextOf, type SessionContext } from '../../domain/own/context-text.ts';
import type { Passage } from '../../domain/point/passages.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { idf } from '../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { BorrowDependencies } from '../archive/borrow-transcript.ts';
import { type ChunkReader, storedPassages } from '../sessions/conversation/stored-conversation.ts';
import { type LocateDependencies, locateSession, type SessionLocation } from '../sessions/locate-session.ts';
import { readPassages, type StoredChunks } from '../sessions/read-conversation.ts';
import { type ConversationOrigin, withTranscript } from './with-transcript.ts';

interface RetrieveRequest {
  session: SessionPayload;
  /** Where the session is, if already known. */
  location?: SessionLocation;
  query?: string;
  /** The last turn to include, from 1; absent: the session's last turn. */
  untilTurn?: number;
  /** Budget for the whole context in estimated tokens; null: unlimited. */
  maxTokens: number | null;
}

export interface RetrievedContext {
  session: SessionPayload;
  from: ConversationOrigin;
  problem: string | null;
  location: SessionLocation;
  passages: Passage[];
  /** Number of passages in the whole conversation; `passages` contains those that fit the budget. */
  total: number;
  markdown: string;
  /** Only if it was requested instead of the passages. */
  summary?: SummaryLine[];
}

export interface RetrieveDependencies extends ReadDependencies {
  tokenizer: LexicalTokenizer;
}

/** A session's context, read from its transcript if there is one. */
export async function retrieveSession(
  deps: RetrieveDependencies,
  request: RetrieveRequest,
): Promise<RetrievedContext> {
  const { session, untilTurn } = request;
  const { all, ...read } = await readConversation(deps, session, request.location, untilTurn);
  return { session, ...read, total: all.length, ...chooseContext(all, request, deps.tokenizer) };
}

export interface ReadDependencies extends LocateDependencies, BorrowDependencies {
  store: ChunkReader;
  redactor: Redactor;
}

export interface Conversation {
  location: SessionLocation;
  from: ConversationOrigin;
  all: Passage[];
  /** Why the archived copy could not be read. */
  problem: string | null;
}

/** A whole conversation in passages. */
export async function readConversation(
  deps: ReadDependencies,
  session: SessionPayload,
  location: SessionLocation = locateSession(deps, session),
  untilTurn = Number.POSITIVE_INFINITY,
): Promise<Conversation> {
  const { found, from, problem } = await withTranscript(deps, session, location, (source, path, parents) =>
    readPassages(source, path, deps.redactor, { parents, untilTurn, stored: storedSubagents(deps, session) }),
  );
  return { location, from, problem, all: found ?? (await storedBefore(deps, session, untilTurn)) };
}

/** Reads a session's subagents from the store; undefined for a session without subagents. */
export function storedSubagents(
  { store }: Pick<ReadDependencies, 'store'>,
  { session_id, subagents = [] }: SessionPayload,
): StoredChunks | undefined {
  return subagents.length === 0 ? undefined : () => store.getChunks(session_id);
}

async function storedBefore(
  { store }: ReadDependencies,
  session: SessionPayload,
  untilTurn: number,
): Promise<Passage[]> {
  return (await storedPassages(store, session)).filter(({ turn }) => turn < untilTurn);
}

/** The most important passages that fit the budget, as context; without a budget, all passages. */
export function chooseContext(
  all: Passage[],
  { session, query, maxTokens }: RetrieveRequest,
  tokenizer: LexicalTokenizer,
): SessionContext {
  const scores = maxTokens === null ? [] : scorePassages(all, query ?? '', tokenizer);
  return contextOf(session, all, { maxTokens, scores });
}

/** IDF-weighted share of the query's words in each passage. The IDF is computed over the passages. */
function scorePassages(passages: Passage[], query: string, tokenizer: LexicalTokenizer): number[] {
  const words = tokenizer.words(query).filter(({ stop }) => !stop);
  const wanted = new Set(words.map(({ stem }) => stem));
  if (wanted.size === 0) return [];
  const held = passages.map(({ text }) => new Set(tokenizer.locate(text, wanted).map(({ stem }) => stem)));
  const weights = new Map(
    [...wanted].map((stem) => [stem, idf(passages.length, held.filter((stems) => stems.has(stem)).length)]),
  );
  return held.map((stems) => [...stems].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0));
}
