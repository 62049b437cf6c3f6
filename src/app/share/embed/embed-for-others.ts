import type { Embedder } from '../../../ports/embedder.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';
import { type EmbedOptions, embedPending } from '../../index/embed-pending.ts';

/** Younger texts may still be embedded by the machine that wrote them. */
const PATIENCE_MS = 3_600_000;

/**
 * Embeds texts that machines without a model sent to the server. Does nothing if the server's vectors are from another
 * model.
 * @returns the number of texts embedded.
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
