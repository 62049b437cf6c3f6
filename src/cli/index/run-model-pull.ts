import { DEFAULT_MODEL, knownModel } from '../../domain/model/known-models.ts';
import type { CommandContext } from '../run-command.ts';
import { createProgress } from '../terminal/progress/progress.ts';

/** Downloads the embedding model, with a progress bar unless `quiet`. Returns its folder. */
export async function runModelPull(
  { config, terminal, signal }: CommandContext,
  quiet: boolean,
): Promise<string> {
  const { model, cacheDirectory, hubUrl } = config.embedding;
  const id = model ?? DEFAULT_MODEL;
  const { pullModel } = await import('../../compose/model.ts');
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
