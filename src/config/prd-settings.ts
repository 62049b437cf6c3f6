import type { SettingKey } from './settings.ts';

/** Settings that the requirements document, or an older build, calls otherwise. */
export const MOVED: Readonly<Record<string, SettingKey>> = {
  'server.host': 'serve.host',
  'server.port': 'serve.port',
  'server.enable_api': 'serve.enabled',
  'indexing.watch_directories': 'claude.homes',
  'search.log': 'logs.enabled',
};

/** A setting that does less than the requirements document says, and what smart-fork does instead. */
export interface WithoutEffect {
  key: string;
  reason: string;
}

/** Settings of the requirements document that have no effect here. A file may contain them. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  version: 'the format has one version',
  'indexing.checkpoint_interval': 'every answer is indexed',
  'storage.directory': 'SMART_FORK_HOME names the folder',
  'storage.vector_db': 'the index is a SQLite file, or a Qdrant server (qdrant.url)',
  'storage.max_cache_size_mb': 'embeddings are kept in the index and not in a cache',
};

const ONLY_PRD = 'only for the ranking prd; search.min_score hides results of the default ranking';

/** The keys whose user should know: those that would change something, and those that only the ranking `prd` obeys. */
export function withoutEffect(
  entries: readonly [string, unknown][],
  { home, userHome }: { home: string; userHome: string },
): WithoutEffect[] {
  const given = new Map(entries);
  const directory = String(given.get('storage.directory') ?? '').replace(/^~(?=$|[\\/])/, () => userHome);
  const isSame = (path: string) => path.replace(/(?<![\\/])[\\/]+$/, '');
  const isHarmless = (key: string) =>
    key === 'version' || (key === 'storage.directory' && isSame(directory) === isSame(home));
  const ignored = [...given.keys()].flatMap((key) => {
    const reason = WITHOUT_EFFECT[key];
    return reason === undefined || isHarmless(key) ? [] : [{ key, reason }];
  });
  const threshold = 'search.similarity_threshold';
  const isPrd = given.get('search.ranking') === 'prd';
  return given.has(threshold) && !isPrd ? [...ignored, { key: threshold, reason: ONLY_PRD }] : ignored;
}
