import type { RecalledAnswer, RecallResponse } from '../../../domain/memory/memory-result.ts';
import { scoreCandidate } from '../../../domain/memory/recall/rank-memory.ts';
import { type IdeaPayload, pointText } from '../../../domain/point/point.ts';
import { contentWords, coverage, weighWords } from '../../../domain/search/coverage.ts';
import type { LexicalTokenizer, QueryWord } from '../../../domain/search/lexical.ts';
import type { Notice } from '../../../domain/search-result.ts';
import { searchSaid } from '../../search/search-sessions.ts';
import type { RelatedIdeas } from '../related-ideas.ts';
import { askMemory } from './ask-memory.ts';
import type { Ranked } from './assemble-answer.ts';
import { collectCandidates, type Found } from './collect-candidates.ts';
import { findAnswers } from './find-answers.ts';
import { relationsAmong } from './relations-among.ts';
import type { Question, QuestionDependencies } from './understand-question.ts';

/** Sessions that are read for the answer, and those that are named in any case. */
const SESSIONS = 6;
const NAMED = 3;
const MAX_BY_ENTITY = 100;
/** How many times more lines than are printed may be, after those that repeat others are left out. */
const REACH = 4;
/** Share of the question's words in one text, weighted by rarity, where no sentence is quoted. */
const ENOUGH_COVERAGE = 0.5;
/** This share, the score of the best quotation and the certainty of search, 0 to 1, together: see docs/memory.md. */
const ENOUGH_EVIDENCE = 2.4;
/** Number of best lines whose words count, besides those of the passages. */
const BEST = 3;

export interface Answer {
  ranked: Ranked[];
  related: RelatedIdeas;
  answers: RecalledAnswer[];
  /** The ids of the sessions that search finds first. */
  sessions: string[];
  /** The name of the preferred repository, if preferring it changed the sessions. */
  preferred?: string;
  stems: Map<string, number>;
  mode: RecallResponse['mode'];
  fits: boolean;
  notices: Notice[];
}

/** Answers a question with quotations, and with the ideas and passages that match it. */
export async function matchQuestion(
  deps: QuestionDependencies,
  question: Question,
  limit: number,
): Promise<Answer> {
  const { said, words, guessed, entities, memory, wanted, onlyIdeas } = question;
  const only = { ...memory, entities };
  const byEntity = entities.length === 0 ? [] : await deps.store.listMemory('idea', only, MAX_BY_ENTITY);
  const asked = await askMemory(deps, {
    text: question.text,
    stems: [words, ...guessed].flat().map(({ stem }) => stem),
    memory,
    filter: said.filter,
  });
  const weigh = (some: QueryWord[]) => weighWords(some, asked.found.coverage.chunks, asked.found.frequencies);
  const stems = weigh(words);
  const { found, ideas, passages } = await collectCandidates(deps, asked, {
    entities,
    byEntity,
    stems,
    memory,
  });
  const inOrder = (all: Found[]) =>
    all
      .map((one) => ({ ...one, score: scoreCandidate(one.candidate, wanted) }))
      .filter(({ score, payload }) => score > 0 && (payload.type === 'idea' || !onlyIdeas))
      .filter(({ candidate }) => memory.open === undefined || candidate.open === memory.open)
      .sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1));
  const shown = wanted.open === null ? inOrder(found).slice(0, limit * REACH) : found;
  const related = await relationsAmong(deps, question, ideas, ideasIn(shown));
  const ranked = inOrder(found.map((one) => asOfNow(one, related)));
  const { mode, notices } = asked;
  const texts = [...passages, ...ranked.filter(isTelling).map(textOf)];
  if (mode === 'keyword' && words.length > 0 && !sharesWords(texts, question.text, deps.tokenizer))
    return { ranked: [], related, answers: [], sessions: [], stems, mode, fits: false, notices };
  // Questions that nobody answered have no answer; "what was missing" may.
  const asksForQuestions =
    wanted.open !== null && wanted.kinds?.every((kind) => kind === 'question') === true;
  const isAnswerable = !onlyIdeas && !asksForQuestions;
  const { answers, sessions, preferred, certainty } = isAnswerable
    ? await answering(deps, question, {
        stems: withGuesses(stems, guessed.map(weigh)),
        ideas,
        related,
        limit,
      })
    : { answers: [], sessions: [], certainty: null };
  const covered = coverage(texts, stems, deps.tokenizer);
  const [best] = answers;
  const isLikely =
    best === undefined || certainty === null
      ? covered >= ENOUGH_COVERAGE
      : best.score + covered + certainty / 100 >= ENOUGH_EVIDENCE;
  // A question of stop words asks for something only if it has filters: "what did we do last week".
  const fits = words.length === 0 ? Object.keys(said.filter).length > 0 : isLikely;
  return { ranked, related, answers, sessions, preferred, stems, mode, fits, notices };
}

/** How many of the lines are answers at most, and how many are beside them: three of eight, three at least. */
export function shareOf(lines: number): number {
  return Math.max(3, Math.floor((lines * 3) / 8));
}

async function answering(
  deps: QuestionDependencies,
  { query, also, said, text, wanted, memory, prefer }: Question,
  asked: { stems: Map<string, number>; ideas: IdeaPayload[]; related: RelatedIdeas; limit: number },
): Promise<Pick<Answer, 'answers' | 'sessions' | 'preferred'> & { certainty: number | null }> {
  const found = await searchSaid(
    deps,
    { query, also, limit: SESSIONS, prefer },
    { ...said, text },
    wanted.now,
  );
  const answers = await findAnswers(deps, {
    ...asked,
    question: query,
    also,
    sessions: found.results,
    memory,
    mine: said.mine,
    limit: Math.min(shareOf(asked.limit), asked.limit),
  });
  const sessions = found.results.slice(0, NAMED).map(({ session_id }) => session_id);
  // Certainty is calibrated for whole queries.
  const whole =
    text === said.text ? found : await searchSaid(deps, { query, also, limit: 1, prefer }, said, wanted.now);
  const certainty = whole.results[0]?.certainty ?? null;
  return { answers, sessions, preferred: found.preferred, certainty };
}

/** What a word of a further phrasing weighs beside one of the question. */
const GUESSED = 0.3;

function withGuesses(stems: Map<string, number>, guessed: Map<string, number>[]): Map<string, number> {
  const all = new Map(guessed.flatMap((some) => [...some]).map(([stem, weight]) => [stem, GUESSED * weight]));
  return new Map([...all, ...stems]);
}

function ideasIn(found: Found[]): IdeaPayload[] {
  return found.flatMap(({ payload }) => (payload.type === 'idea' ? [payload] : []));
}

function asOfNow(one: Found, { now }: RelatedIdeas): Found {
  if (one.payload.type !== 'idea') return one;
  const payload = now(one.payload);
  return { ...one, candidate: { ...one.candidate, open: payload.is_open }, payload };
}

/** Ideas and topics whose own words count: the first, and those about what the question names. */
function isTelling({ payload, candidate }: Ranked, at: number): boolean {
  return payload.type !== 'chunk' && (at < BEST || candidate.hasEntity);
}

/** An idea names what it is about, such as a commit, not always in its words. */
function textOf({ payload }: Ranked): string {
  return payload.type === 'idea'
    ? [payload.content, payload.quote, ...payload.entities].join('\n')
    : pointText(payload);
}

/** Whether a text has a word of the question, or a part of one: else stop words alone found it. */
function sharesWords(texts: string[], text: string, tokenizer: LexicalTokenizer): boolean {
  const stops = new Set(tokenizer.words(text).flatMap(({ word, stop }) => (stop ? word : [])));
  const parts = tokenizer.tokens(text).filter((token) => !/[~+]/.test(token) && !stops.has(token));
  const stems = new Set(contentWords(tokenizer.words(parts.join(' '))).map(({ stem }) => stem));
  return texts.some((one) => tokenizer.locate(one, stems).length > 0);
}
