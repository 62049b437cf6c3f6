import type { Passage } from '../../domain/point/passages.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { idf } from '../../domain/search/confidence.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import { contextOf, type SessionContext } from '../../domain/text/context-text.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { BorrowDependencies } from '../archive/borrow-transcript.ts';
import { type ConversationOrigin, readTranscript } from '../index/read-transcript.ts';
import { type ForkPlan, type PlanDependencies, planFork } from '../sessions/locate-session.ts';
import { type ChunkReader, readPassages, storedPassages } from '../sessions/read-conversation.ts';

export interface RetrieveRequest {
  session: SessionPayload;
  query?: string;
  /** Budget for the whole context, in estimated tokens. Null: everything. */
  maxTokens: number | null;
}

export interface RetrievedContext {
  session: SessionPayload;
  from: ConversationOrigin;
  problem: string | null;
  fork: ForkPlan;
  passages: Passage[];
  /** Passages of the whole conversation; more than there are in `passages` when the budget cut it. */
  total: number;
  markdown: string;
}

interface RetrieveDependencies extends ReadDependencies {
  tokenizer: LexicalTokenizer;
}

/** The context of a session for injection, from the local transcript where there is one. */
export async function retrieveSession(
  deps: RetrieveDependencies,
  request: RetrieveRequest,
): Promise<RetrievedContext> {
  const { session } = request;
  const { fork, from, all, problem } = await readConversation(deps, session);
  return { session, from, problem, fork, total: all.length, ...chooseContext(all, request, deps.tokenizer) };
}

export interface ReadDependencies extends PlanDependencies, BorrowDependencies {
  store: ChunkReader;
  redactor: Redactor;
}

export interface Conversation {
  fork: ForkPlan;
  from: ConversationOrigin;
  all: Passage[];
  /** Why the kept copy could not be read. */
  problem: string | null;
}

/** All of a conversation in passages. */
export async function readConversation(
  deps: ReadDependencies,
  session: SessionPayload,
): Promise<Conversation> {
  const fork = planFork(deps, session);
  const { found, from, problem } = await readTranscript(deps, session, fork, (source, path, parents) =>
    readPassages(source, path, deps.redactor, parents),
  );
  return { fork, from, problem, all: found ?? (await storedPassages(deps.store, session)) };
}

/** The passages that fit the budget and say most, as context; all of them without a budget. */
export function chooseContext(
  all: Passage[],
  { session, query, maxTokens }: RetrieveRequest,
  tokenizer: LexicalTokenizer,
): SessionContext {
  const scores = maxTokens === null ? [] : scorePassages(all, query ?? '', tokenizer);
  return contextOf(session, all, { maxTokens, scores });
}

/** IDF-weighted share of the query's words that each passage holds; the passages are the collection. */
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
