import type { RecalledAnswer, RecallResponse, UnderstoodOfIdeas } from '../../domain/memory/memory-result.ts';
import type { MemoryFilter } from '../../domain/memory/memory-search.ts';
import { scoreCandidate, type Wanted } from '../../domain/memory/recall/rank-memory.ts';
import { asksForNewest, type KindsRead, NO_KINDS, readKinds } from '../../domain/memory/recall/read-kinds.ts';
import { type IdeaPayload, pointText } from '../../domain/point/point.ts';
import { contentWords, coverage, weighWords } from '../../domain/search/coverage.ts';
import type { LexicalTokenizer, QueryWord } from '../../domain/search/lexical.ts';
import { LONGEST_QUERY } from '../../domain/search/phrasings.ts';
import type { Notice } from '../../domain/search-result.ts';
import type { IdeaKind } from '../../domain/session/ideas.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import { eachSession, type PointStore } from '../../ports/point-store.ts';
import type { PreferredRepository } from '../search/repository-filter.ts';
import { type SearchDependencies, type SearchRequest, searchSaid } from '../search/search-sessions.ts';
import { isNamed, restrictionNotices, understoodAs } from '../search/understand/apply-understanding.ts';
import type { Said } from '../search/understand/understand-request.ts';
import { understandRequest } from '../search/understand/understand-request.ts';
import { newestOutside } from '../search/unmatched-filters.ts';
import { locateSession } from '../sessions/locate-session.ts';
import { toSessionCard } from '../sessions/session-card.ts';
import { askMemory } from './ask-memory.ts';
import { assembleAnswer, type Ranked, turnOf } from './assemble-answer.ts';
import { candidateOf, collectCandidates, type Found } from './collect-candidates.ts';
import type { CommitDependencies } from './commits-since.ts';
import { embedOnce } from './embed-once.ts';
import { findAnswers } from './find-answers.ts';
import { findEntities } from './find-entities.ts';
import { ideasAround } from './list-open.ts';
import { type RelatedIdeas, relatedIdeas } from './related-ideas.ts';

export type RecallDependencies = SearchDependencies & Pick<CommitDependencies, 'git'>;

interface RecallRequest extends Pick<SearchRequest, 'query' | 'filter' | 'literal' | 'mine' | 'prefer'> {
  /** Only these kinds of ideas. */
  kinds?: IdeaKind[];
  /** Only open ideas. */
  open?: boolean;
  /** Maximum number of lines. */
  limit?: number;
}

const LINES = 8;
/** Sessions that are read for the answer. */
const SESSIONS = 6;
/** Maximum number of answers. */
const ANSWERS = 3;
/** Maximum number of lines below answers, unless a kind of them or more lines are asked for. */
const BESIDES = 3;
const MAX_BY_ENTITY = 100;
const MAX_LISTED = 1000;
/** How many times more lines than are printed may be, after those that repeat others are left out. */
const REACH = 4;
/** Share of the question's words in one text, weighted by rarity, where no sentence is quoted. */
const ENOUGH_COVERAGE = 0.5;
/** This share, the score of the best quotation and the certainty of search, 0 to 1, together: see docs/memory.md. */
const ENOUGH_EVIDENCE = 2.4;
/** Number of best lines whose words count, besides those of the passages. */
const BEST = 3;

/**
 * Answers a question with the sentences of past sessions that answer it, then with related ideas: decisions, findings, open points.
 * Matching topics and passages fill in where there is no idea.
 * @throws SmartForkError as searchSessions
 */
export async function recall(given: RecallDependencies, request: RecallRequest): Promise<RecallResponse> {
  const started = Date.now();
  const store = 'forOneSearch' in given.store ? given.store.forOneSearch() : given.store;
  const deps = { ...given, store, embedding: embedOnce(given.embedding) };
  const question = await understand(deps, request);
  let { said } = question;
  const limit = request.limit ?? LINES;
  let found = await answerQuestion(deps, question, limit);
  const isUnrestricted = isEmpty(found) && said.understood.some(isNamed);
  if (isUnrestricted) {
    said = await withOutcomes(store, { ...said, ...said.unrestricted });
    found = await answerQuestion(deps, { ...question, said, memory: memoryFilter(said, request) }, limit);
  }
  const newest = isUnrestricted ? await newestOutside(store, question.said.filter) : undefined;
  const now = question.wanted.now;
  const restriction = restrictionNotices(question.said, { isEmpty: isEmpty(found), newest, now });
  const isIgnored = isUnrestricted && !isEmpty(found);
  const lacksOpen = lacksWhatIsOpen(question.wanted, found) && restriction.length === 0;
  const { understood, ...ignored } = understoodAs(said.understood, isIgnored);
  return {
    query: question.query,
    understood: [
      ...understood,
      ...understoodKinds(question.kinds, said.text),
      ...question.entities.map(understoodEntity),
    ],
    ...ignored,
    mode: found.mode,
    fits: found.fits && !isEmpty(found) && !isIgnored && !lacksOpen,
    answers: found.answers,
    groups: found.groups,
    others: await otherSessions(deps, found),
    preferred: found.preferred,
    notices: [
      ...('notices' in given.store ? given.store.notices() : []),
      ...[...said.notices, ...restriction, ...found.notices],
      ...(lacksOpen ? [nothingOpen(question.kinds)] : []),
    ],
    took_ms: Date.now() - started,
  };
}

function lacksWhatIsOpen({ open, kinds }: Wanted, { groups }: Pick<RecallResponse, 'groups'>): boolean {
  const ideas = groups.flatMap(({ lines }) => lines.flatMap(({ idea }) => idea ?? []));
  return open === true && !ideas.some((idea) => idea.open === true && kinds?.includes(idea.kind) !== false);
}

function nothingOpen({ kinds }: KindsRead): Notice {
  const message = 'nothing open was found';
  return kinds?.includes('question')
    ? { code: 'NOTHING_OPEN', message, hint: 'smart-fork recall "answered questions"' }
    : { code: 'NOTHING_OPEN', message };
}

function isEmpty({ answers, groups }: Pick<RecallResponse, 'answers' | 'groups'>): boolean {
  return answers.length + groups.length === 0;
}

/** Sessions that search finds first are named even if nothing of them is shown. */
async function otherSessions(
  deps: Dependencies,
  { answers, groups, sessions }: Answer & Pick<RecallResponse, 'groups'>,
): Promise<RecallResponse['others']> {
  const shown = new Set([...answers, ...groups].map(({ session }) => session.session_id));
  const ids = sessions.filter((id) => !shown.has(id));
  const stored = ids.length === 0 ? [] : tellApart(await deps.store.getSessions(ids));
  return ids.flatMap((id) =>
    stored
      .filter(({ session_id }) => session_id === id)
      .map((session) => toSessionCard(session, locateSession(deps, session))),
  );
}

async function answerQuestion(
  deps: Dependencies,
  question: Question,
  limit: number,
): Promise<Answer & Pick<RecallResponse, 'groups'>> {
  const { words, kinds, said, wanted } = question;
  const answer =
    words.length === 0 && kinds.kinds !== null
      ? await newestIdeas(deps, question)
      : await matching(deps, question, limit);
  // Ideas are the agent's words, or made of the user's.
  const left = said.mine ? [] : answer.ranked.filter((one) => !isAnswered(one, answer.answers, wanted));
  const shown = new Set(answer.answers.flatMap(({ idea }) => idea?.id ?? []));
  const room = limit - answer.answers.length;
  const isBesides = answer.answers.length > 0 && wanted.kinds === null && limit <= LINES;
  // Lines near a doubtful answer help nobody.
  const most = isBesides ? Math.min(room, answer.fits ? BESIDES : 0) : room;
  const options = { limit: most, stems: answer.stems, shown };
  return { ...answer, groups: await assembleAnswer(deps, left, answer.related, options) };
}

/** Whether a line would repeat an answer, or is an answered question, which nobody asked for. */
function isAnswered(line: Ranked, answers: RecalledAnswer[], { kinds, open }: Wanted): boolean {
  const { payload } = line;
  if (payload.type === 'idea' && payload.kind === 'question' && payload.is_open === false)
    if (open === null && kinds?.includes('question') !== true) return true;
  return answers.some(({ session, turn, text }) => {
    if (session.session_id !== payload.session_id || turn !== turnOf(line)) return false;
    return payload.type !== 'idea' || text.includes(payload.content) || payload.content.includes(text);
  });
}

type Dependencies = RecallDependencies & { store: PointStore };

interface Question {
  query: string;
  said: Said;
  kinds: KindsRead;
  /** The question without the words that state filters and kinds. */
  text: string;
  words: QueryWord[];
  entities: string[];
  memory: MemoryFilter;
  wanted: Wanted;
  /** Only ideas are wanted. */
  onlyIdeas: boolean;
  prefer: PreferredRepository | undefined;
}

async function understand(deps: Dependencies, request: RecallRequest): Promise<Question> {
  const query = request.query.slice(0, LONGEST_QUERY).toWellFormed();
  const now = deps.machine.now();
  const literal = request.literal === true;
  const asked = { query, filter: request.filter ?? {}, literal, mine: request.mine };
  const said = await withOutcomes(
    deps.store,
    await understandRequest({ ...deps, ...deps.searchAids }, asked, now),
  );
  const kinds = literal ? NO_KINDS : readKinds(said.text);
  const text = withoutKinds(said.text, kinds);
  const isTelling = (entity: string) =>
    contentWords(deps.tokenizer.words(entity.slice(entity.indexOf(':') + 1))).length > 0;
  const wanted = { kinds: request.kinds ?? kinds.kinds, open: request.open ?? kinds.open };
  return {
    query,
    said,
    kinds,
    text,
    words: contentWords(deps.tokenizer.words(text)),
    entities: literal ? [] : (await findEntities(deps.store, text)).filter(isTelling),
    memory: memoryFilter(said, request),
    wanted: { ...wanted, newest: asksForNewest(query), now },
    prefer: said.filter.repo === undefined ? request.prefer : undefined,
    onlyIdeas: request.kinds !== undefined || request.open !== undefined,
  };
}

/** Stores do not index outcomes, so sessions are read; older ones are left out. */
const MAX_WITH_OUTCOME = 1000;

/** Restricts the filter to sessions with the outcomes that the question says. */
async function withOutcomes(store: PointStore, said: Said): Promise<Said> {
  const { filter, outcomes } = said;
  if (outcomes === null) return said;
  const sessionIds: string[] = [];
  for await (const { session_id, outcome } of eachSession(store, filter, MAX_WITH_OUTCOME))
    if (outcomes.includes(outcome)) sessionIds.push(session_id);
  return { ...said, filter: { ...filter, sessionIds } };
}

interface Answer {
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

/** Answers a question that names a kind but no topic: "open questions". */
async function newestIdeas(deps: Dependencies, question: Question): Promise<Answer> {
  const { memory, wanted } = question;
  const { kinds, open } = wanted;
  const only = { ...memory, kinds: kinds ?? memory.kinds, open: open ?? memory.open };
  // The first kind is the one that was named; the others answer questions about it too.
  const [named] = memory.kinds === undefined && open === null ? (kinds ?? []) : [];
  const ofKind =
    named === undefined ? [] : await deps.store.listMemory('idea', { ...only, kinds: [named] }, MAX_LISTED);
  const listed = ofKind.length > 0 ? ofKind : await deps.store.listMemory('idea', only, MAX_LISTED);
  const related = await relationsOf(deps, question, listed);
  const ideas = listed.map(related.now).filter(({ is_open }) => (only.open ?? is_open) === is_open);
  const ranked = ideas.map((payload, at) => ({
    payload,
    candidate: candidateOf(payload),
    score: 1 - at / MAX_LISTED,
  }));
  return {
    ranked,
    related,
    answers: [],
    sessions: [],
    stems: new Map(),
    mode: 'keyword',
    fits: true,
    notices: [],
  };
}

/** Relations among the ideas, or among all of their repositories if one that may be shown is open so far: another may have closed it. */
async function relationsOf(
  deps: Dependencies,
  { said }: Question,
  ideas: IdeaPayload[],
  shown = ideas,
): Promise<RelatedIdeas> {
  const isLeft = shown.some(({ is_open }) => is_open === true);
  return relatedIdeas(isLeft ? await ideasAround(deps, ideas, said.filter) : ideas);
}

function ideasIn(found: Found[]): IdeaPayload[] {
  return found.flatMap(({ payload }) => (payload.type === 'idea' ? [payload] : []));
}

async function matching(deps: Dependencies, question: Question, limit: number): Promise<Answer> {
  const { said, words, entities, memory, wanted, onlyIdeas } = question;
  const only = { ...memory, entities };
  const byEntity = entities.length === 0 ? [] : await deps.store.listMemory('idea', only, MAX_BY_ENTITY);
  const asked = await askMemory(deps, {
    text: question.text,
    stems: words.map(({ stem }) => stem),
    memory,
    filter: said.filter,
  });
  const stems = weighWords(words, asked.found.coverage.chunks, asked.found.frequencies);
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
  const related = await relationsOf(deps, question, ideas, ideasIn(shown));
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
    ? await answering(deps, question, { stems, ideas, related, limit })
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

async function answering(
  deps: Dependencies,
  { query, said, text, wanted, memory, prefer }: Question,
  asked: { stems: Map<string, number>; ideas: IdeaPayload[]; related: RelatedIdeas; limit: number },
): Promise<Pick<Answer, 'answers' | 'sessions' | 'preferred'> & { certainty: number | null }> {
  const found = await searchSaid(deps, { query, limit: SESSIONS, prefer }, { ...said, text }, wanted.now);
  const answers = await findAnswers(deps, {
    ...asked,
    question: query,
    sessions: found.results,
    memory,
    mine: said.mine,
    limit: Math.min(ANSWERS, asked.limit),
  });
  const sessions = found.results.slice(0, ANSWERS).map(({ session_id }) => session_id);
  // Certainty is calibrated for whole queries.
  const whole =
    text === said.text ? found : await searchSaid(deps, { query, limit: 1, prefer }, said, wanted.now);
  const certainty = whole.results[0]?.certainty ?? null;
  return { answers, sessions, preferred: found.preferred, certainty };
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

function memoryFilter(said: Said, request: RecallRequest): MemoryFilter {
  const { since, until, ...sessions } = said.filter;
  return {
    sessions,
    since,
    until,
    kinds: request.kinds,
    open: request.open,
  };
}

function withoutKinds(text: string, { mention }: KindsRead): string {
  if (mention === null) return text;
  return `${text.slice(0, mention.start)} ${text.slice(mention.end)}`
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:?]+|(?<![\s,;:?])[\s,;:?]+$/g, '');
}

function understoodKinds({ mention, kinds }: KindsRead, text: string): UnderstoodOfIdeas[] {
  if (mention === null || kinds === null) return [];
  const from = text.slice(mention.start, mention.end);
  return [{ kind: 'kind', value: kinds.join(','), from, text: mention.text }];
}

function understoodEntity(entity: string): UnderstoodOfIdeas {
  const [, name = ''] = /^concept:(.+)$/.exec(entity) ?? [];
  return {
    kind: 'entity',
    value: entity,
    from: null,
    text: name === '' ? entity.replace(':', ' ') : `about ${name}`,
  };
}
