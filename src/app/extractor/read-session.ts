import { acceptIdeas } from '../../domain/extractor/accept-ideas.ts';
import { cutPieces, type Piece } from '../../domain/extractor/cut-pieces.ts';
import { INSTRUCTIONS } from '../../domain/extractor/instructions.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { ideaPoint } from '../../domain/point/session-points.ts';
import { sha256 } from '../../domain/text/hash.ts';
import type { LanguageModel } from '../../ports/extractor/language-model.ts';
import type { ModelBudget } from '../../ports/extractor/model-notes.ts';
import type { IndexState } from '../../ports/index-state.ts';
import type { PointStore, SessionWriter } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { redactIdeas } from '../privacy/redact-ideas.ts';

export interface ReadingDependencies {
  /** This machine's store. */
  store: PointStore;
  writer: SessionWriter;
  state: IndexState;
  redactor: Redactor;
  languageModel: LanguageModel;
  budget: ModelBudget;
  now: () => number;
}

export interface SessionReading {
  calls: number;
  ideas: number;
  dropped: number;
  /** The day's budget ran out before the session was finished. */
  isOverBudget: boolean;
}

/** Tokens reserved for an answer until the model reports its actual number. */
const ANSWER_TOKENS = 1200;
const UNITS_PER_TOKEN = 3;
const MAX_KNOWN = 2000;

/**
 * Has a model read the unread pieces of a session, and writes the ideas that quote it. An interruption loses at most one call.
 * Throws the model's errors.
 */
export async function readSession(
  deps: ReadingDependencies,
  session: SessionPayload,
  signal?: AbortSignal,
): Promise<SessionReading> {
  const reading: SessionReading = { calls: 0, ideas: 0, dropped: 0, isOverBudget: false };
  try {
    await readPieces(deps, session, reading, signal);
  } finally {
    await writeNotedIdeas(deps, session.session_id);
  }
  return reading;
}

async function readPieces(
  deps: ReadingDependencies,
  session: SessionPayload,
  reading: SessionReading,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, state, redactor, languageModel, budget, now } = deps;
  const { session_id: id } = session;
  for (const stored of await unreadPieces(deps, session)) {
    signal?.throwIfAborted();
    // Redacted again, because the patterns may be newer than the index.
    const [redacted] = await redactor.redact([{ text: stored.text }]);
    const piece = { ...stored, text: redacted?.text ?? '' };
    const day = dayOf(now());
    const tokens = tokensFor(piece);
    if (!state.bookCall(day, tokens, budget)) {
      reading.isOverBudget = true;
      break;
    }
    reading.calls += 1;
    const answer = await languageModel.ask({ instructions: INSTRUCTIONS, text: piece.text }, signal);
    if (answer === null) {
      state.notePiece(id, hashOf(stored), [], { day, dropped: 0 });
      continue;
    }
    if (answer.tokens !== null) state.correctTokens(day, answer.tokens - tokens);
    const known = await store.listMemory('idea', { sessions: { sessionIds: [id] } }, MAX_KNOWN);
    // An invalid answer counts as read too: asking again would give the same answer.
    const { ideas, dropped } = acceptIdeas(answer.text, piece, [...known, ...state.modelIdeas(id)]) ?? {
      ideas: [],
      dropped: 1,
    };
    // Forgotten while the model was reading, so nothing of it may stay.
    if ((await store.getSessions([id])).length === 0) return;
    state.notePiece(id, hashOf(stored), await redactIdeas(redactor, ideas), { day, dropped });
    reading.ideas += ideas.length;
    reading.dropped += dropped;
  }
}

/** Calls and tokens that it would take to read the rest of a session. */
export async function costOf(
  deps: Pick<ReadingDependencies, 'store' | 'state'>,
  session: SessionPayload,
): Promise<{ calls: number; tokens: number }> {
  const pieces = await unreadPieces(deps, session);
  return { calls: pieces.length, tokens: pieces.reduce((sum, piece) => sum + tokensFor(piece), 0) };
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function unreadPieces(
  { store, state }: Pick<ReadingDependencies, 'store' | 'state'>,
  { session_id: id }: SessionPayload,
): Promise<Piece[]> {
  const [chunks, spans] = await Promise.all([
    store.getChunks(id),
    store.listMemory('span', { sessions: { sessionIds: [id] } }, MAX_KNOWN),
  ]);
  const read = state.readPieces(id);
  return cutPieces(chunks, spans).filter((piece) => !read.has(hashOf(piece)));
}

/** Writes the recorded ideas that the store lacks, as a change to the session's current state. */
export async function writeNotedIdeas(
  { store, state, writer }: ReadingDependencies,
  id: string,
): Promise<void> {
  const [session] = await store.getSessions([id]);
  const noted = state.modelIdeas(id);
  if (session === undefined || noted.length === 0) return;
  const { agent, machine, repo_id, repo_key, repo_name, repo_path } = session;
  const identity = { session_id: id, agent, machine, repo_id, repo_key, repo_name, repo_path };
  const stored = await store.getHashes(id);
  const upserts = noted
    .map((idea) => ideaPoint(identity, idea))
    .filter((point) => stored.get(point.id) !== point.payload.content_hash);
  if (upserts.length === 0) return;
  const point = { id: pointId(id, 'session'), payload: session };
  const expected = session.content_hash;
  await writer.write([{ session: point, upserts, deletes: [], expected, points: null }]);
}

function tokensFor({ text }: Piece): number {
  return Math.ceil((INSTRUCTIONS.length + text.length) / UNITS_PER_TOKEN) + ANSWER_TOKENS;
}

function hashOf({ text }: Piece): string {
  return sha256(text);
}
