import type { SettingKey } from './settings.ts';

/** Settings that the requirements document lists under another name. */
export const MOVED: Readonly<Record<string, SettingKey>> = {
  'server.host': 'serve.host',
  'server.port': 'serve.port',
  'indexing.watch_directories': 'claude.homes',
};

/** Settings from the requirements document that have no effect here. A file may contain them. */
export const WITHOUT_EFFECT: readonly string[] = [
  'version',
  'embedding.batch_size',
  'embedding.max_batch_memory_mb',
  'indexing.checkpoint_interval',
  'indexing.chunk_size_tokens',
  'indexing.chunk_overlap_tokens',
  'search.similarity_threshold',
  'search.include_recent_boost',
  'search.recency_weight_days',
  'server.enable_api',
  'storage.directory',
  'storage.vector_db',
  'storage.max_cache_size_mb',
];
