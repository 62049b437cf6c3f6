import { lstat, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { graphPaths } from '../../domain/model/known-models.ts';
import { repoFolder } from './hub-cache.ts';
import { MODEL_FILES } from './model-files.ts';

/**
 * Removes a model from the hub's cache and returns the bytes freed; 0 if it was not there. If other tools use the same model, removes
 * only the ONNX graphs, which take most of the space.
 */
export async function removeModel(cacheDir: string, id: string, file?: string): Promise<number> {
  const repo = repoFolder(cacheDir, id);
  const before = await folderSize(repo);
  const links = await listLinks(repo);
  const graphs = graphPaths(file).flatMap((path) => [path, `${path}_data`]);
  const ours = new Set([...graphs, ...MODEL_FILES]);
  if (links.every(({ path }) => ours.has(path))) {
    await rm(repo, { recursive: true, force: true });
  } else {
    await removeLinks(repo, links, new Set(graphs));
  }
  return before - (await folderSize(repo));
}

interface Link {
  /** Path inside the snapshot, with `/`. */
  path: string;
  at: string;
  blob: string;
}

async function removeLinks(repo: string, links: Link[], paths: Set<string>): Promise<void> {
  const going = links.filter(({ path }) => paths.has(path));
  const staying = new Set(links.filter(({ path }) => !paths.has(path)).map(({ blob }) => blob));
  for (const { at, blob } of going) {
    await rm(at, { force: true });
    if (!staying.has(blob)) await rm(blob, { force: true });
  }
  for (const name of await filesIn(join(repo, 'blobs'))) {
    if (name.endsWith('.incomplete')) await rm(join(repo, 'blobs', name), { force: true });
  }
}

async function listLinks(repo: string): Promise<Link[]> {
  const snapshots = join(repo, 'snapshots');
  const found: Link[] = [];
  for (const name of await filesIn(snapshots)) {
    const at = join(snapshots, name);
    const target = await stat(at).catch(() => undefined);
    if (target?.isDirectory()) continue;
    const path = name.split(sep).slice(1).join('/');
    found.push({ path, at, blob: await realpath(at).catch(() => at) });
  }
  return found;
}

async function folderSize(folder: string): Promise<number> {
  const entries = (await filesIn(folder)).map((name) => lstat(join(folder, name)).catch(() => undefined));
  return (await Promise.all(entries)).reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0);
}

/** Every file below a folder; empty if the folder does not exist. */
async function filesIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => []);
}
