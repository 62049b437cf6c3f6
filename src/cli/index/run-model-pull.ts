import { DEFAULT_MODEL, knownModel } from '../../domain/model/known-models.ts';
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
  return isThere && modelDirectory !== null ? modelDirectory : download(context, quiet);
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

async function download({ config, terminal, signal }: CommandContext, quiet: boolean): Promise<string> {
  const { model, cacheDirectory, hubUrl } = config.embedding;
  const id = model ?? DEFAULT_MODEL;
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
