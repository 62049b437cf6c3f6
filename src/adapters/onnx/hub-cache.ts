import { mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { graphPaths } from '../../domain/model/known-models.ts';

/**
 * The Hugging Face cache, as every tool that uses it lays it out:
 *
 *     models--owner--name/
 *       blobs/<hash>                       the bytes (`<hash>.incomplete` while they arrive)
 *       snapshots/<commit>/<path>          a link to a blob
 *       refs/main                          the commit that `main` was when it was last asked
 */
export function repoFolder(cacheDir: string, id: string): string {
  return join(cacheDir, `models--${id.replaceAll('/', '--')}`);
}

/**
 * The folder of a model in the cache. Other tools may have left snapshots without a graph, so the first that can
 * be run is taken, `main` before others; without one, the place where a model would be looked for.
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
    if (await holdsModel(folder, file)) return folder;
  }
  return join(repo, 'snapshots', main ?? 'main');
}

/** Puts a finished blob into a snapshot: a link, or the file itself where links are not allowed (Windows). */
export async function linkBlob(blob: string, pointer: string): Promise<void> {
  await mkdir(dirname(pointer), { recursive: true });
  await rm(pointer, { force: true });
  await symlink(relative(dirname(pointer), blob), pointer).catch(() => rename(blob, pointer));
}

export async function fileSize(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

async function holdsModel(folder: string, file?: string): Promise<boolean> {
  const sizes = await Promise.all(graphPaths(file).map((path) => fileSize(join(folder, path))));
  return sizes.some(Boolean) && (await fileSize(join(folder, 'tokenizer.json'))) !== undefined;
}
