import { graphPaths, knownModel } from './known-models.ts';
import type { ModelRecord } from './model-record.ts';
import type { ModelFolder } from './models.ts';

/**
 * The record of a built-in model, unless its files override it: then null, and `resolveModelRecord` must read them. Every search calls
 * this, and loading the schemas for the full check takes longer than the search.
 */
export function recognizeModel({ id, files, config, own }: ModelFolder): ModelRecord | null {
  const known = id === undefined ? undefined : knownModel(id);
  if (known === undefined || own !== undefined || typeof config !== 'object' || config === null) return null;
  const { hidden_size, n_embd }: { hidden_size?: unknown; n_embd?: unknown } = config;
  const file = graphPaths(known.file).find((path) => files.includes(path));
  return (hidden_size ?? n_embd) === known.dimensions && file !== undefined ? { ...known, file } : null;
}
