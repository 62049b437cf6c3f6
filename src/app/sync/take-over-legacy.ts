import {
  addToChunks,
  type ChunkMessage,
  emptyChunkerState,
  lexicalText,
  openChunk,
} from '../../domain/chunking.ts';
import { sha256 } from '../../domain/hash.ts';
import { addToIntents, emptyIntentState, openIntent } from '../../domain/intents.ts';
import { isoTime } from '../../domain/iso-time.ts';
import type { LexicalTokenizer } from '../../domain/lexical.ts';
import type { ChunkSizes } from '../../domain/model-record.ts';
import { emptyDraft } from '../../domain/session-draft.ts';
import { chunkPoint, intentPoint, type SessionIdentity, sessionPoint } from '../../domain/session-record.ts';
import { titleOf } from '../../domain/title.ts';
import type { LegacyCollection, LegacySession, LegacyTexts } from '../../ports/legacy-collection.ts';
import type { PointStore, SessionChange } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { emptyMigration, type MigrateOptions, type MigrationReport } from './migrate-sessions.ts';

export interface TakeOverDependencies {
  legacy: LegacyCollection;
  /** Where its sessions go. */
  to: PointStore;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  sizes: ChunkSizes;
}

/**
 * Takes the sessions of the first, Python smart-fork over: their texts are redacted and cut anew. A session that is there
 * already, from its transcript, knows more and is left alone. Can be interrupted; done again it goes on.
 */
export async function takeOverLegacy(
  deps: TakeOverDependencies,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const report = emptyMigration();
  const known = await deps.legacy.sessions();
  const sessions = known.sessions.filter(({ session_id }) => options.without?.has(session_id) !== true);
  for (const session of sessions) {
    if (options.signal?.aborted === true) {
      report.interrupted = true;
      return report;
    }
    report.found += 1;
    if ((await deps.to.getSession(session.session_id)) !== null) report.same += 1;
    else {
      const change = await changeOf(deps, session, await deps.legacy.read(session.session_id));
      const { conflicts } = await deps.to.write([change]);
      if (conflicts.length === 0) report.copied += 1;
      else report.left.push(session.session_id);
      if (!(await isComplete(deps.to, change))) report.different.push(session.session_id);
    }
    options.onProgress?.({ unit: 'session', done: report.found, total: sessions.length });
  }
  return report;
}

async function isComplete(to: PointStore, { session, upserts }: SessionChange): Promise<boolean> {
  const hashes = await to.getHashes(session.payload.session_id);
  return (
    hashes.size === upserts.length &&
    upserts.every(({ point }) => hashes.get(point.id) === point.payload.content_hash)
  );
}

async function changeOf(
  { tokenizer, redactor, sizes }: TakeOverDependencies,
  session: LegacySession,
  texts: LegacyTexts,
): Promise<SessionChange> {
  const timestamp = session.timestamp === null ? null : isoTime(session.timestamp);
  const given = [...texts.chunks, ...texts.intents].map((text) => ({ text }));
  const redacted = (await redactor.redact(given)).map(({ text }) => text);
  const messages = messagesOf(redacted.slice(0, texts.chunks.length), timestamp);
  const intentTexts = redacted.slice(texts.chunks.length);
  const identity = identityOf(session);
  const chunks = cutChunks(messages, sizes).map((chunk) => ({
    point: chunkPoint(identity, chunk),
    tokens: tokenizer.stream(lexicalText(chunk)),
  }));
  const intents = cutIntents(intentTexts, timestamp).map((intent) => ({
    point: intentPoint(identity, intent),
    tokens: null,
  }));
  const empty = emptyDraft();
  const draft = {
    ...empty,
    titles: { ...empty.titles, prompt: titleOf(intentTexts[0] ?? '') || null },
    workingDirectory: session.repo_path,
    startedAt: timestamp,
    endedAt: timestamp,
    userMessages: intentTexts.length,
    assistantMessages: messages.filter(({ role }) => role === 'assistant').length,
  };
  const point = sessionPoint(identity, {
    draft,
    markers: [],
    tags: [],
    path: '',
    bytes: 0,
    lines: 0,
    chunks: chunks.length,
    intents: intents.length,
    parts: [],
  });
  point.payload.content_hash = session.content_hash ?? sha256(redacted.join('\n'));
  return {
    session: point,
    upserts: [...intents, ...chunks],
    deletes: [],
    expected: null,
    tokens: chunks.map(({ tokens }) => tokens).join(''),
  };
}

function identityOf(session: LegacySession): SessionIdentity {
  return {
    session_id: session.session_id,
    agent: 'claude',
    machine: session.machine ?? 'unknown',
    repo_id: session.repo_id,
    repo_key: null,
    repo_name: session.repo_name,
    repo_path: session.repo_path ?? '',
  };
}

/** Pieces of a conversation, each message marked by who spoke; a piece may begin in the middle of one. */
function messagesOf(pieces: string[], timestamp: string | null): ChunkMessage[] {
  const messages: ChunkMessage[] = [];
  let turn = -1;
  for (const part of pieces.join('\n').split(/^(?=(?:USER|ASSISTANT): )/m)) {
    const [, mark, text = ''] = /^(?:(USER|ASSISTANT): )?([\s\S]*)$/.exec(part) ?? [];
    if (text.trim() === '') continue;
    if (mark !== 'ASSISTANT') turn += 1;
    const role = mark === 'USER' ? 'user' : 'assistant';
    messages.push({ role, text: text.trimEnd(), timestamp, turn: Math.max(0, turn) });
  }
  return messages;
}

function cutChunks(messages: ChunkMessage[], sizes: ChunkSizes) {
  const state = emptyChunkerState();
  const chunks = messages.flatMap((message) => addToChunks(state, message, sizes));
  const last = openChunk(state);
  return last === null ? chunks : [...chunks, last];
}

function cutIntents(texts: string[], timestamp: string | null) {
  const state = emptyIntentState();
  const intents = texts.flatMap((text) => addToIntents(state, text, timestamp));
  const last = openIntent(state);
  return last === null ? intents : [...intents, last];
}
