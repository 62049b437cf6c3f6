import { graphPaths, knownModel } from './known-models.ts';
import type { ModelRecord } from './model-record.ts';
import type { ModelFolder } from './models.ts';

/**
 * The record of a built-in model whose files say nothing else; null if they need a closer look (`resolveModelRecord`). Every search
 * asks, and loading the schemas of a closer look takes longer than the search.
 */
export function recognizeModel({ id, files, config, own }: ModelFolder): ModelRecord | null {
  const known = id === undefined ? undefined : knownModel(id);
  if (known === undefined || own !== undefined || typeof config !== 'object' || config === null) return null;
  const { hidden_size, n_embd }: { hidden_size?: unknown; n_embd?: unknown } = config;
  const file = graphPaths(known.file).find((path) => files.includes(path));
  return (hidden_size ?? n_embd) === known.dimensions && file !== undefined ? { ...known, file } : null;
}
