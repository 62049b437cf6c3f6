import type { ChunkSizes } from '../../../domain/model/model-record.ts';
import {
  addToChunks,
  type ChunkMessage,
  emptyChunkerState,
  lexicalText,
  openChunk,
} from '../../../domain/point/chunking.ts';
import { addToIntents, emptyIntentState, openIntent } from '../../../domain/point/intents.ts';
import { chunkPoint, intentPoint } from '../../../domain/point/session-points.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { PointStore, SessionChange } from '../../../ports/point-store.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import type { LegacyCollection, LegacyPoint } from '../../../ports/remote-store.ts';
import { getSession } from '../../sessions/get-session.ts';
import { identityOf, type LegacySession, listLegacySessions, recordOf } from './legacy-sessions.ts';
import { emptyMigration, type MigrateOptions, type MigrationReport } from './migrate-sessions.ts';

export interface ImportDependencies {
  legacy: LegacyCollection;
  to: PointStore;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  sizes: ChunkSizes;
}

/**
 * Imports the sessions of the first smart-fork, in Python: redacts their texts and cuts them into passages again. Sessions that the
 * store already has are left alone, because their transcripts are more complete. An interrupted import can be repeated.
 */
export async function importLegacy(
  deps: ImportDependencies,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const report = emptyMigration();
  const known = await listLegacySessions(deps.legacy);
  const sessions = known.filter(({ session_id }) => options.without?.has(session_id) !== true);
  for (const session of sessions) {
    if (options.signal?.aborted === true) {
      report.interrupted = true;
      return report;
    }
    report.found += 1;
    if ((await getSession(deps.to, session.session_id)) !== null) report.same += 1;
    else {
      const change = await changeOf(deps, session);
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
  { legacy, tokenizer, redactor, sizes }: ImportDependencies,
  session: LegacySession,
): Promise<SessionChange> {
  const { timestamp } = session;
  const texts = await readTexts(legacy, session.session_id);
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
  const user = messages.filter(({ role }) => role === 'user').length;
  return {
    session: recordOf(session, {
      prompt: intentTexts[0] ?? null,
      messages: { user, assistant: messages.length - user },
      chunks: chunks.length,
      intents: intents.length,
    }),
    upserts: [...intents, ...chunks],
    deletes: [],
    expected: null,
    tokens: chunks.map(({ tokens }) => tokens).join(''),
  };
}

async function readTexts(
  legacy: LegacyCollection,
  sessionId: string,
): Promise<{ intents: string[]; chunks: string[] }> {
  const points: LegacyPoint[] = [];
  for await (const page of legacy.points({ texts: true, sessionIds: [sessionId] })) points.push(...page);
  points.sort((a, b) => a.chunk_index - b.chunk_index);
  const of = (type: LegacyPoint['type']) =>
    points.flatMap((point) => (point.type === type && point.text !== null ? [point.text] : []));
  return { intents: of('intent'), chunks: of('chunk') };
}

/** Each message begins with its speaker; a piece may begin in the middle of a message. */
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
