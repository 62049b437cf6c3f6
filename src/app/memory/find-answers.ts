import type { LaterView, RecalledAnswer, RelationView } from '../../domain/memory/memory-result.ts';
import type { MemoryFilter } from '../../domain/memory/memory-search.ts';
import { type Excerpt, excerptOf, quotedText, shownExcerpt } from '../../domain/memory/recall/excerpt.ts';
import { findQuotations, type Quotation, scoreSigns } from '../../domain/memory/recall/rank-statements.ts';
import { lastSpeaker, readStatements, type SaidMessage } from '../../domain/memory/recall/read-statements.ts';
import type { ChunkPayload, IdeaPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import type { IdeaKind } from '../../domain/session/ideas.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { Embedding } from '../../ports/embedder.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type LocateDependencies, locateSession } from '../sessions/locate-session.ts';
import { toSessionCard } from '../sessions/session-card.ts';
import { ideaId, ideaView } from './idea-view.ts';
import { nameSessions } from './name-sessions.ts';
import { nearInMeaning } from './near-in-meaning.ts';
import type { RelatedIdeas } from './related-ideas.ts';
import { laterOn } from './said-later.ts';
import { forkAt } from './show-ideas.ts';

interface Dependencies extends LocateDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
  embedding: Pick<Embedding, 'state' | 'queries' | 'embedder'>;
}

interface Asked {
  question: string;
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

const MAX_PASSAGES = 100;
/** For an idea that was replaced, instead of its confidence. */
const REPLACED = -3;
interface Answering {
  session_id: string;
  quotation: Quotation;
  /** The conversation that it is from. */
  messages: SaidMessage[];
  idea: IdeaPayload | null;
  signs: Parameters<typeof scoreSigns>[0];
  score: number;
}

/** The sentences of the best sessions that answer a question, best first. */
export async function findAnswers(deps: Dependencies, asked: Asked): Promise<RecalledAnswer[]> {
  const ranked = await byMeaning(deps, asked.question, (await everyAnswer(deps, asked)).sort(byScore));
  const chosen: Answering[] = [];
  for (const one of ranked) {
    if (chosen.length === asked.limit) break;
    if (!chosen.some((other) => overlaps(one.quotation, other.quotation))) chosen.push(one);
  }
  const others = (best: Answering) => ranked.filter((one) => one !== best && isSameMessage(one, best));
  const excerpts = chosen.map((best) => ({ ...best, excerpt: excerptOf(best, others(best)) }));
  return present(deps, lastHeld(excerpts, asked, deps.tokenizer), asked.related);
}

function byScore(one: Answering, other: Answering): number {
  return other.score - one.score;
}

/** Quotations that are compared with the question by meaning: each takes 5 to 40 ms. */
const COMPARED = 20;
/** Weight of one standard deviation. */
const MEANING = 0.06;
/** Characters of the prompt that are compared too: alone, many replies say little. */
const CONTEXT = 200;

/** Whatever is not compared counts as one standard deviation below the mean. */
async function byMeaning(
  { embedding }: Dependencies,
  question: string,
  ranked: Answering[],
): Promise<Answering[]> {
  const texts = ranked.slice(0, COMPARED).map(({ quotation }) => {
    const prompt = quotation.prompt?.statements.slice(0, 2).map(({ text }) => text) ?? [];
    return [quotedText(quotation), prompt.join(' ').slice(0, CONTEXT)].join('\n');
  });
  const nearness = await nearInMeaning(embedding, question, texts);
  if (nearness === null) return ranked;
  return ranked
    .map((one, at) => ({ ...one, score: one.score + MEANING * (nearness[at] ?? -1) }))
    .sort(byScore);
}

function isSameMessage(one: Answering, other: Answering): boolean {
  return one.quotation.message === other.quotation.message;
}

interface Excerpted extends Answering {
  excerpt: Excerpt;
}

interface Chosen extends Excerpted {
  later: LaterView | null;
}

/** What does not hold any more comes after what its session says from the next prompt on, and after what replaced it. */
function lastHeld(chosen: Excerpted[], asked: Asked, tokenizer: LexicalTokenizer): Chosen[] {
  const left = chosen.map((one) => ({ ...one, later: laterOn(one, asked, tokenizer) }));
  const inOrder: Chosen[] = [];
  while (left.length > 0) {
    const at = left.findIndex((one) => !left.some((other) => isOverBy(one, other, asked.related)));
    inOrder.push(...left.splice(Math.max(0, at), 1));
  }
  return inOrder;
}

function isOverBy({ session_id, later, idea }: Chosen, other: Chosen, related: RelatedIdeas): boolean {
  const replacement = idea === null ? null : related.replacementOf(idea);
  if (replacement !== null && other.idea !== null && ideaId(replacement) === ideaId(other.idea)) return true;
  if (later === null || later.why === 'continued' || other.later !== null) return false;
  return other.session_id === session_id && (other.quotation.message.turn ?? -1) >= later.turn;
}

async function everyAnswer(deps: Dependencies, asked: Asked): Promise<Answering[]> {
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

/** Whether two quotations are of one message, or one says what the other says. */
function overlaps(one: Quotation, other: Quotation): boolean {
  if (one.message === other.message) return true;
  const [text, others] = [quotedText(one), quotedText(other)];
  return text.includes(others) || others.includes(text);
}

/** The best passages of the sessions, and those that follow them: an answer comes after its question. */
async function passagesOf({ store, tokenizer }: Dependencies, asked: Asked): Promise<ChunkPayload[]> {
  const { question, sessions, memory } = asked;
  const sessionIds = sessions.map(({ session_id }) => session_id);
  if (sessionIds.length === 0) return [];
  const { lists } = await store.find({
    tokens: tokenizer.tokens(question),
    vector: null,
    filter: { sessionIds },
    limits: { sessions: 1, chunks: MAX_PASSAGES, intents: 1 },
  });
  const ids = new Set((lists.chunksByWords ?? []).map(({ point_id }) => point_id));
  const found = chunksIn(await store.getPoints([...ids]));
  const after = found
    .map(({ session_id, chunk_index }) => pointId(session_id, 'chunk', chunk_index + 1))
    .filter((id) => !ids.has(id));
  const next = after.length === 0 ? [] : chunksIn(await store.getPoints(after));
  return [...found, ...next].filter((passage) => isWithin(passage, memory));
}

function chunksIn(points: Awaited<ReturnType<PointStore['getPoints']>>): ChunkPayload[] {
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

const FIXED = /^(?:fixed|solved|resolved)\b/i;
const MAX_RELATIONS = 3;
/** What a prompt with a plan begins with. */
const ANNOUNCES = /^(?:please )?implement (?:the following|this) plan$/i;

async function present(
  deps: Dependencies,
  chosen: Chosen[],
  related: RelatedIdeas,
): Promise<RecalledAnswer[]> {
  const ids = [...new Set(chosen.map(({ session_id }) => session_id))];
  const sessions = tellApart(await deps.store.getSessions(ids));
  const told = await Promise.all(
    chosen.map(async (one) => ({ ...one, by: await speakerOf(deps.store, one) })),
  );
  const answers = told.flatMap(
    ({ session_id, quotation, excerpt, idea, later, score, by }): RecalledAnswer[] => {
      const session = sessions.find((one) => one.session_id === session_id);
      if (session === undefined) return [];
      const { message, prompt, first } = quotation;
      const { turn, timestamp } = message;
      return [
        {
          session: toSessionCard(session, locateSession(deps, session)),
          turn,
          timestamp,
          by,
          text: shownExcerpt(excerpt),
          asked: message.isReply ? message.statements[first]?.label || null : openingOf(prompt),
          idea: idea === null ? null : ideaView(idea),
          relations: idea === null ? [] : relationsOf(idea, related, later),
          later,
          score: Math.round(score * 10_000) / 10_000,
          fork_command: forkAt(session_id, turn, deps.machine.shell),
        },
      ];
    },
  );
  const views = answers.flatMap(({ idea, relations }) => (idea === null ? [] : [{ idea, relations }]));
  const laters = answers.flatMap(({ later }) => later ?? []);
  await nameSessions(deps.store, views, new Map(sessions.map((one) => [one.session_id, one])), laters);
  return answers;
}

/** Passages that are read at once. */
const BEFORE = 16;

/** Who says a message that begins in a passage that was not read. */
async function speakerOf(store: PointStore, { session_id, quotation }: Chosen): Promise<SaidMessage['by']> {
  const { message } = quotation;
  for (let end = message.goesOnIn ?? 0; end > 0; end -= BEFORE) {
    const places = Array.from({ length: Math.min(end, BEFORE) }, (_, at) => end - 1 - at);
    const passages = chunksIn(await store.getPoints(places.map((at) => pointId(session_id, 'chunk', at))));
    const inOrder = passages.sort((a, b) => b.chunk_index - a.chunk_index);
    const speaker = inOrder.map(lastSpeaker).find((one) => one !== null);
    if (speaker !== undefined) return speaker ?? message.by;
  }
  return message.by;
}

/** The first sentence of a prompt; further ones while they are short: "ok. no. the build …". */
function openingOf(prompt: SaidMessage | null): string | null {
  let opening = '';
  for (const { text } of prompt?.statements ?? []) {
    if (ANNOUNCES.test(text)) continue;
    if (opening.length >= SHORT_OPENING) break;
    opening = opening === '' ? text : `${opening} ${text}`;
  }
  return opening === '' ? null : opening;
}

const SHORT_OPENING = 25;

/** What replaced an idea comes first; a later session that is named already is left out. */
function relationsOf(idea: IdeaPayload, related: RelatedIdeas, later: LaterView | null): RelationView[] {
  const isReplaced = ({ kind, reversed }: RelationView) => kind === 'supersedes' && reversed;
  const all = related
    .of(idea)
    .filter(({ kind, idea: { session_id } }) => kind !== 'builds_on' || session_id !== later?.session_id);
  return [...all.filter(isReplaced), ...all.filter((one) => !isReplaced(one))].slice(0, MAX_RELATIONS);
}
