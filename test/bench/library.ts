import { join } from 'node:path';
import type { IndexReport } from '../../src/app/index/index-report.ts';
import { indexTranscripts } from '../../src/app/index/index-transcripts.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Agent } from '../../src/domain/agent/agents.ts';
import { byAgent } from '../../src/domain/agent/by-agent.ts';
import type { LocalStore } from '../../src/ports/outbox.ts';
import type { TranscriptFile } from '../../src/ports/transcript-source.ts';

/** The library with a temporary home. */
export async function openLibrary(
  home: string,
  agents: {
    claude?: string[];
    codex?: string[];
    model?: string | null;
    server?: { url: string; apiKey: string | null; collection: string };
  },
): Promise<Parts> {
  const nowhere = join(home, 'nowhere');
  const given: Partial<Record<Agent, string[]>> = { claude: agents.claude, codex: agents.codex };
  const config = await loadConfig({
    HOME: home,
    USERPROFILE: home,
    HF_HOME: nowhere,
    SMART_FORK_HOME: home,
    QDRANT_URL: agents.server?.url,
    QDRANT_COLLECTION: agents.server?.collection,
    QDRANT_API_KEY: agents.server?.apiKey ?? undefined,
    SMART_FORK_MODEL_DIR: agents.model || undefined,
  });
  const homes = byAgent((agent) => given[agent] ?? [nowhere]);
  return await compose({ ...config, homes, transcriptHomes: homes });
}

/** Indexes only for keyword search; `store` replaces the default store. */
export async function indexWords(
  parts: Parts,
  files?: TranscriptFile[],
  store?: LocalStore,
): Promise<IndexReport> {
  const indexing = await parts.indexing();
  return indexTranscripts({ ...indexing, store: store ?? indexing.store }, { files });
}
