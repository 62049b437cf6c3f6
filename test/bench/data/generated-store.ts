import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import {
  chunkPoint,
  identityOf,
  intentPoint,
  type SessionIdentity,
  sessionPoint,
} from '../../../src/domain/point/session-points.ts';
import { emptyDraft } from '../../../src/domain/session/draft.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import type { PointStore, SessionChange, TextPointChange } from '../../../src/ports/point-store.ts';
import { createTextSource, type TextSource, tokensOf } from './generated-text.ts';

export const GENERATED_MODEL = { id: 'generated/768', dimensions: 768 };
/** As the chunks and vectors of all-MiniLM-L6-v2. */
export const SMALL_MODEL = { id: 'generated/384', dimensions: 384 };
const SMALL_CHUNK_WORDS = 143;

export const SESSIONS = 1000;
const INTENT_SHARE = 0.1;
/** About 750 tokens each. */
const CHUNK_WORDS = 430;
const INTENT_WORDS = 60;
const DAY_MS = 86_400_000;

/** Fills a store with this many points in a thousand sessions, unless it has them already. */
export async function fillStore(folder: string, points: number): Promise<void> {
  const done = join(folder, 'filled');
  if (existsSync(done)) return;
  const store = openSqlitePointStore(join(folder, 'index.db'), 'generated');
  await fillPoints(store, points, SESSIONS);
  await store.close();
  writeFileSync(done, '');
}

export async function fillPoints(
  store: PointStore,
  points: number,
  sessions: number,
  model = GENERATED_MODEL,
): Promise<void> {
  const chunkWords = model === SMALL_MODEL ? SMALL_CHUNK_WORDS : CHUNK_WORDS;
  const text = createTextSource(points);
  for (let session = 0; session < sessions; session += 1) {
    const change = makeSession(text, session, points / sessions, chunkWords);
    await store.write([change]);
    await embed(store, text, session, { model, change });
    if (session % 50 === 49) process.stderr.write(`  ${session + 1} of ${sessions} sessions generated\n`);
  }
}

function makeSession(text: TextSource, session: number, points: number, chunkWords: number): SessionChange {
  const identity = makeIdentity(session);
  const timestamp = new Date(Date.UTC(2026, 0, 1) + session * DAY_MS * 0.3).toISOString();
  const common = { timestamp, ended_at: timestamp };
  const intents = Array.from({ length: Math.round(points * INTENT_SHARE) }, (_, index): TextPointChange => {
    const intent = { ...common, index, text: text.words(session, INTENT_WORDS).join(' ') };
    return { point: intentPoint(identity, intent), tokens: null };
  });
  const chunks = Array.from({ length: points - intents.length }, (_, index): TextPointChange => {
    const words = text.words(session, chunkWords);
    const chunk = { ...common, index, content: words.join(' '), overlap: 0, turn: index };
    return { point: chunkPoint(identity, chunk), tokens: tokensOf(words) };
  });
  return {
    session: sessionPoint(identity, {
      draft: {
        ...emptyDraft(),
        startedAt: timestamp,
        endedAt: timestamp,
        workingDirectory: identity.repo_path,
      },
      markers: [],
      tags: [],
      path: `/home/sam/.claude/projects/app/${identity.session_id}.jsonl`,
      bytes: 1_000_000,
      lines: 1000,
      chunks: chunks.length,
      intents: intents.length,
      parts: [sha256(identity.session_id)],
    }),
    upserts: [...intents, ...chunks],
    deletes: [],
    expected: null,
    tokens: chunks.map(({ tokens }) => tokens ?? '').join(''),
  };
}

function makeIdentity(session: number): SessionIdentity {
  return identityOf(
    {
      sessionId: `${session.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
      agent: 'claude',
      machine: 'generated',
      workingDirectory: `/home/sam/code/app-${session % 20}`,
      remoteUrl: null,
    },
    null,
  );
}

async function embed(
  store: PointStore,
  text: TextSource,
  session: number,
  { model, change }: { model: typeof GENERATED_MODEL; change: SessionChange },
): Promise<void> {
  const vectors = change.upserts.map(({ point }) => ({
    id: point.id,
    contentHash: point.payload.content_hash,
    vector: text.vector(session, model.dimensions),
  }));
  await store.setVectors(model, vectors);
}
