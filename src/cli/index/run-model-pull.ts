import { DEFAULT_MODEL, knownModel } from '../../domain/model/known-models.ts';
import { rerankerId } from '../../domain/model/known-rerankers.ts';
import { lacksRuntime } from '../../ports/embedder.ts';
import type { CommandContext } from '../run-command.ts';
import { createProgress } from '../terminal/progress/progress.ts';
import { waitFor } from '../terminal/progress/spinner.ts';

/**
 * Installs the package that runs models and downloads the embedding model, whichever is missing; shows progress unless `quiet`.
 * Returns the model's folder.
 */
export async function runModelPull(context: CommandContext, quiet: boolean): Promise<string> {
  await installRuntime(context, quiet);
  const state = await context.parts.embedding.state();
  const isThere = state.state === 'ready' || lacksRuntime(state);
  const { modelDirectory } = context.config.embedding;
  const folder = isThere && modelDirectory !== null ? modelDirectory : await download(context, quiet);
  await pullReranker(context, quiet);
  return folder;
}

async function installRuntime(
  { config, env, terminal, signal }: CommandContext,
  quiet: boolean,
): Promise<void> {
  const { pullRuntime, runtimePath } = await import('../../compose/embedding.ts');
  if (runtimePath(config) !== null) return;
  const text = 'Installing onnxruntime-node, which runs the model (a download of about 80 MB)';
  if (!quiet && !terminal.stderr.isTTY) terminal.err(`${text}...`);
  const work = pullRuntime(config, env, signal);
  await (quiet ? work : waitFor(work, { terminal, text }));
}

/** Downloads the configured reranker, unless it is present or a folder is configured. */
async function pullReranker(context: CommandContext, quiet: boolean): Promise<void> {
  const { reranker } = context.parts.searchAids;
  const id = reranker === null ? null : rerankerId(reranker.name);
  if (reranker === null || id === null) return;
  if ((await reranker.state()).state === 'ready') return;
  await download(context, quiet, id);
}

async function download(
  { config, terminal, signal }: CommandContext,
  quiet: boolean,
  id = config.embedding.model ?? DEFAULT_MODEL,
): Promise<string> {
  const { cacheDirectory, hubUrl } = config.embedding;
  const { pullModel } = await import('../../compose/embedding.ts');
  const bar = quiet ? null : createProgress({ verb: 'Downloading', terminal });
  try {
    return await pullModel({
      id,
      file: knownModel(id)?.file,
      cacheDir: cacheDirectory,
      hubUrl: hubUrl ?? undefined,
      signal,
      onProgress: ({ bytes: done, total }) =>
        bar?.update({ unit: 'MB', done: Math.round(done / 1e6), total: Math.round(total / 1e6) }),
    });
  } finally {
    bar?.done();
  }
}
