import { idf } from '../domain/confidence.ts';
import { contextHeader, contextMarkdown } from '../domain/context-text.ts';
import type { LexicalTokenizer } from '../domain/lexical.ts';
import { type Passage, pickPassages } from '../domain/passages.ts';
import type { SessionPayload } from '../domain/point.ts';
import { estimateTokens } from '../domain/tokens.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { type ForkPlan, planFork } from './plan-fork.ts';
import { readPassages, storedPassages } from './read-conversation.ts';

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
  store: PointStore;
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
  const { session, maxTokens } = request;
  const fork = planFork(deps, session);
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const local = fork.path !== null && source !== undefined;
  const all = local
    ? await readPassages(source, fork.path ?? '', deps.redactor)
    : await storedPassages(deps.store, session);
  const passages =
    maxTokens === null
      ? all
      : pickPassages(
          all,
          scorePassages(all, request.query ?? '', deps.tokenizer),
          maxTokens - headerCost(session),
        );
  return {
    session,
    from: local ? 'transcript' : 'store',
    fork,
    passages,
    total: all.length,
    markdown: contextMarkdown(session, passages, all.length),
  };
}

/** The header and the marks between passages come out of the budget. */
function headerCost(session: SessionPayload): number {
  return estimateTokens(contextHeader(session)) + 20;
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
