import { mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { graphPaths } from '../../domain/model/known-models.ts';

/**
 * The layout of the Hugging Face cache, shared with other tools:
 *
 *     models--owner--name/
 *       blobs/<hash>                       the content (`<hash>.incomplete` during the download)
 *       snapshots/<commit>/<path>          a link to a blob
 *       refs/main                          the commit of `main` at the last lookup
 */
export function repoFolder(cacheDir: string, id: string): string {
  return join(cacheDir, `models--${id.replaceAll('/', '--')}`);
}

/**
 * The folder of a model in the cache: the first snapshot with a graph, trying `main` first. Other tools leave snapshots without
 * one. If no snapshot has a graph, the folder where the model would be.
 */
export async function findModelFolder(cacheDir: string, id: string, file?: string): Promise<string> {
  const repo = repoFolder(cacheDir, id);
  const main = await readFile(join(repo, 'refs', 'main'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  );
  const commits = await readdir(join(repo, 'snapshots')).catch(() => []);
  const folders = [
    ...commits.filter((commit) => commit === main),
    ...commits.filter((commit) => commit !== main),
  ];
  for (const commit of folders) {
    const folder = join(repo, 'snapshots', commit);
    if (await hasModel(folder, file)) return folder;
  }
  return join(repo, 'snapshots', main ?? 'main');
}

/** Links a finished blob into a snapshot, or moves it there where links are not allowed (Windows). */
export async function linkBlob(blob: string, pointer: string): Promise<void> {
  await mkdir(dirname(pointer), { recursive: true });
  await rm(pointer, { force: true });
  await symlink(relative(dirname(pointer), blob), pointer).catch(() => rename(blob, pointer));
}

export async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

async function hasModel(folder: string, file?: string): Promise<boolean> {
  const sizes = await Promise.all(graphPaths(file).map((path) => fileSize(join(folder, path))));
  return sizes.some(Boolean) && (await fileSize(join(folder, 'tokenizer.json'))) !== undefined;
}
