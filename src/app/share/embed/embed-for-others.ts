import type { Embedder } from '../../../ports/embedder.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';
import { type EmbedOptions, embedPending } from '../../index/embed-pending.ts';

/** The machine that wrote a younger text may still embed it. */
const PATIENCE_MS = 3_600_000;

/**
 * Embeds texts that other machines sent without a vector, having no model. Does nothing if the server takes another model's
 * vectors.
 * @returns how many texts got one.
 */
export async function embedForOthers(
  { remote, embedder, now }: { remote: RemoteStore; embedder: Embedder; now(): number },
  options: EmbedOptions = {},
): Promise<number> {
  const { id, dimensions } = embedder.model;
  const { model } = await remote.info();
  if (model !== null && (model.id !== id || model.dimensions !== dimensions)) return 0;
  return embedPending({ store: remote, embedder }, { ...options, writtenBefore: now() - PATIENCE_MS });
}
