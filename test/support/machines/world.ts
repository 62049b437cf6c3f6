import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { IndexReport } from '../../../src/app/index/index-report.ts';
import { type IndexRequest, indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { type SearchRequest, searchSessions } from '../../../src/app/search/search-sessions.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { compose, type Parts } from '../../../src/compose/parts.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { ChunkPayload, IntentPayload, SessionPayload } from '../../../src/domain/point/point.ts';
import type { SearchResponse } from '../../../src/domain/search-result.ts';
import { tempFolder } from '../files/temp-folder.ts';

/** A machine that contains only what a test puts there. */
export interface World {
  folder: string;
  /** smart-fork's own home. */
  home: string;
  claudeHome: string;
  codexHome: string;
  /** The environment of a process on this machine. */
  env: Record<string, string>;
}

export function createWorld(folder = tempFolder('world')): World {
  const [home, claudeHome, codexHome] = [join(folder, 'home'), join(folder, 'claude'), join(folder, 'codex')];
  mkdirSync(join(claudeHome, 'projects'), { recursive: true });
  const env = {
    HOME: folder,
    USERPROFILE: folder,
    SMART_FORK_HOME: home,
    SMART_FORK_MACHINE: 'workshop',
    CLAUDE_CONFIG_DIR: claudeHome,
    CODEX_HOME: codexHome,
    HF_HOME: join(folder, 'hub'),
  };
  return { folder, home, claudeHome, codexHome, env };
}

/** Opens the world's store and its dependencies; closed when the test ends. */
export async function openWorld(world: World, env: Record<string, string> = {}): Promise<Parts> {
  const parts = await compose(await loadConfig({ ...world.env, ...env }));
  onTestFinished(() => parts.close());
  return parts;
}

export async function indexWorld(parts: Parts, request: IndexRequest = {}): Promise<IndexReport> {
  return indexTranscripts(await parts.indexing(), request);
}

export async function searchWorld(
  parts: Parts,
  request: string | SearchRequest,
  now?: string,
): Promise<SearchResponse> {
  const machine = now === undefined ? parts.machine : { ...parts.machine, now: () => Date.parse(now) };
  return searchSessions(
    { ...parts, store: await parts.store(), machine },
    typeof request === 'string' ? { query: request } : request,
  );
}

export interface StoredSession {
  session: SessionPayload;
  chunks: ChunkPayload[];
  intents: IntentPayload[];
}

/** Everything stored about a session, or null. */
export async function storedSession(parts: Parts, sessionId: string): Promise<StoredSession | null> {
  const store = await parts.store();
  const session = await getSession(store, sessionId);
  if (session === null) return null;
  const chunks = await store.getChunks(sessionId);
  const points = await store.getPoints([...(await store.getHashes(sessionId)).keys()]);
  const intents = points
    .map(({ payload }) => payload)
    .filter((payload): payload is IntentPayload => payload.type === 'intent')
    .sort((a, b) => a.chunk_index - b.chunk_index);
  return { session, chunks, intents };
}

/** The stored conversation, each piece once. */
export function conversationOf(chunks: { content: string; overlap: number }[]): string {
  return chunks.map(({ content, overlap }) => content.slice(overlap)).join('');
}
