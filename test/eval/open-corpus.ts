import { join } from 'node:path';
import { embedPending } from '../../src/app/index/embed-pending.ts';
import { indexTranscripts } from '../../src/app/index/index-transcripts.ts';
import { createProgress } from '../../src/cli/terminal/progress/progress.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { SessionPayload } from '../../src/domain/point/point.ts';
import type { Corpus } from './corpus.ts';

/** An indexed corpus, embedded if there is a model. */
export interface OpenCorpus {
  corpus: Corpus;
  parts: Parts;
  sessions: SessionPayload[];
  /** Whether the vector rankings can run. */
  embedded: boolean;
}

/** Indexes a corpus in its own home in `work`; reuses the index of an earlier run. */
export async function openCorpus(
  corpus: Corpus,
  options: { work: string; model: string | null; reranker?: string; terminal: Terminal },
): Promise<OpenCorpus> {
  const parts = await compose(await configFor(corpus, options));
  const store = await parts.store();
  const bar = createProgress({ verb: 'Indexing', terminal: options.terminal });
  await indexTranscripts(
    { ...(await parts.indexing()), probe: () => null },
    { onProgress: (progress) => bar.update(progress) },
  );
  bar.done();
  const embedded = (await parts.embedding.state()).state === 'ready';
  if (embedded) await embed(parts, corpus, options.terminal);
  const { sessions } = await store.list({}, 1_000_000);
  return { corpus, parts, sessions, embedded };
}

async function embed(parts: Parts, { name }: Corpus, terminal: Terminal): Promise<void> {
  const bar = createProgress({ verb: `Embedding ${name}`, terminal });
  await embedPending(
    { store: await parts.store(), embedder: await parts.embedding.embedder() },
    { onProgress: (progress) => bar.update(progress) },
  );
  bar.done();
}

/** Every home is in `work` or the corpus, never the user's own. */
function configFor(
  { agent, home }: Corpus,
  { work, model, reranker }: { work: string; model: string | null; reranker?: string },
) {
  const nowhere = join(work, 'nowhere');
  return loadConfig({
    HOME: nowhere,
    USERPROFILE: nowhere,
    SMART_FORK_HOME: join(work, agent),
    CLAUDE_CONFIG_DIR: agent === 'claude' ? home : nowhere,
    CODEX_HOME: agent === 'codex' ? home : nowhere,
    HF_HOME: nowhere,
    SMART_FORK_RERANKER: reranker,
    SMART_FORK_MODEL_DIR: model ?? undefined,
  });
}
