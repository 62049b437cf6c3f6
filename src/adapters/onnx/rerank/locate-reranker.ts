import { join } from 'node:path';
import { graphPaths } from '../../../domain/model/known-models.ts';
import { rerankerId } from '../../../domain/model/known-rerankers.ts';
import type { ModelFiles } from '../../../ports/embedder.ts';
import { fileSize, findModelFolder } from '../hub-cache.ts';
import { findFault, REQUIRED_FILES } from '../model-files.ts';

export interface LocatedReranker {
  state: ModelFiles;
  /** The graph's path in the folder. */
  graph: string;
}

/** Finds a reranker by name or folder, and reports whether its files look plausible. Loads nothing. */
export async function locateReranker(name: string, cacheDir: string): Promise<LocatedReranker> {
  const id = rerankerId(name);
  const directory = id === null ? name : await findModelFolder(cacheDir, id);
  const graph = await findGraph(directory);
  for (const file of [graph, ...REQUIRED_FILES]) {
    const fault = await findFault(join(directory, file));
    if (fault === undefined) continue;
    return {
      graph,
      state: { state: fault.state, directory, reason: `${file} in ${directory} ${fault.reason}` },
    };
  }
  return { graph, state: { state: 'ready', directory } };
}

async function findGraph(directory: string): Promise<string> {
  const paths = graphPaths();
  for (const path of paths) if ((await fileSize(join(directory, path))) !== undefined) return path;
  return paths.at(-1) ?? '';
}
