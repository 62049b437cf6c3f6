import { idf } from '../domain/confidence.ts';
import { contextOf, type SessionContext } from '../domain/context-text.ts';
import type { LexicalTokenizer } from '../domain/lexical.ts';
import type { Passage } from '../domain/passages.ts';
import type { SessionPayload } from '../domain/point.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { type ForkPlan, planFork } from './plan-fork.ts';
import { type ChunkReader, readPassages, storedPassages } from './read-conversation.ts';

export interface RetrieveRequest {
  session: SessionPayload;
  query?: string;
  /** Budget for the whole context, in estimated tokens. Null: everything. */
  maxTokens: number | null;
}

export interface RetrievedContext {
  session: SessionPayload;
  /** Where the text came from: the transcript on this machine, or the points in the store. */
  from: 'transcript' | 'store';
  fork: ForkPlan;
  passages: Passage[];
  /** Passages of the whole conversation; more than there are in `passages` when the budget cut it. */
  total: number;
  markdown: string;
}

interface RetrieveDependencies {
  store: ChunkReader;
  sources: TranscriptSource[];
  machine: ThisMachine;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
}

/** The context of a session for injection, from the local transcript where there is one. */
export async function retrieveSession(
  deps: RetrieveDependencies,
  request: RetrieveRequest,
): Promise<RetrievedContext> {
  const { session } = request;
  const { fork, from, all } = await readConversation(deps, session);
  return { session, from, fork, total: all.length, ...chooseContext(all, request, deps.tokenizer) };
}

export interface Conversation {
  fork: ForkPlan;
  from: 'transcript' | 'store';
  all: Passage[];
}

/** All of a conversation in passages. */
export async function readConversation(
  deps: Omit<RetrieveDependencies, 'tokenizer'>,
  session: SessionPayload,
): Promise<Conversation> {
  const fork = planFork(deps, session);
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const local = fork.path !== null && source !== undefined;
  const all = local
    ? await readPassages(source, fork.path ?? '', deps.redactor)
    : await storedPassages(deps.store, session);
  return { fork, from: local ? 'transcript' : 'store', all };
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
