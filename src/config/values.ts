import type { Config } from './config.ts';

/** Where a setting's value comes from. */
export type SettingOrigin = 'default' | 'config.json' | '.env' | 'environment';

export interface SettingValue {
  value: unknown;
  origin: SettingOrigin;
}

/** What holds for a setting, and why; secrets are masked. A setting that has no default has the value null. */
export function settingValue(config: Config, key: string): SettingValue {
  const own = at(config.settings, key);
  const variable = VARIABLES[key];
  const fromVariable = variable === undefined ? undefined : config.variables[variable];
  const origin = fromVariable ?? (own === undefined ? 'default' : 'config.json');
  const held = EFFECTIVE[key];
  return { value: masked(key, held === undefined ? (own ?? null) : held(config)), origin };
}

/** These go before the file. */
const VARIABLES: Record<string, string> = {
  machine: 'SMART_FORK_MACHINE',
  'embedding.provider': 'SMART_FORK_EMBEDDING_PROVIDER',
  'embedding.model': 'SMART_FORK_MODEL',
  'embedding.model_dir': 'SMART_FORK_MODEL_DIR',
  encryption: 'SMART_FORK_ENCRYPTION',
  'archive.enabled': 'SMART_FORK_ARCHIVE',
  'archive.remote': 'SMART_FORK_ARCHIVE_REMOTE',
  'claude.homes': 'CLAUDE_CONFIG_DIR',
  'codex.homes': 'CODEX_HOME',
  'qdrant.url': 'QDRANT_URL',
  'qdrant.api_key': 'QDRANT_API_KEY',
  'qdrant.collection': 'QDRANT_COLLECTION',
  'qdrant.timeout_ms': 'QDRANT_TIMEOUT_MS',
};

const EFFECTIVE: Record<string, (config: Config) => unknown> = {
  machine: (config) => config.machine,
  'embedding.provider': ({ embedding }) => (embedding.service === null ? 'local' : 'qdrant-cloud'),
  'embedding.model': ({ embedding }) => embedding.service?.model ?? embedding.model,
  'embedding.dimensions': ({ embedding, settings }) =>
    embedding.service?.dimensions ?? settings.embedding?.dimensions ?? null,
  'embedding.model_dir': ({ embedding }) => embedding.modelDirectory,
  'embedding.threads': ({ embedding }) => embedding.threads,
  'embedding.idle_seconds': ({ embedding }) => embedding.idleMs / 1000,
  'embedding.for_others': ({ embedding }) => embedding.forOthers,
  'search.max_results': ({ search }) => search.maxResults,
  'search.min_score': ({ search }) => search.minScore,
  'search.mode': ({ search }) => search.mode,
  'search.ranking': ({ search }) => search.ranking,
  'fork.shell': ({ shell }) => shell,
  'fork.launch': ({ fork }) => fork.launch ?? 'none',
  'privacy.exclude.repositories': ({ privacy }) => privacy.exclude.repositories ?? [],
  'privacy.exclude.paths': ({ privacy }) => privacy.exclude.paths ?? [],
  'privacy.exclude.branches': ({ privacy }) => privacy.exclude.branches ?? [],
  'privacy.redact': ({ privacy }) => privacy.patterns,
  encryption: ({ encryption }) => (encryption ? 'on' : 'off'),
  'archive.enabled': ({ archive }) => archive.enabled,
  'archive.remote': ({ archive }) => archive.remote,
  'archive.max_bytes': ({ archive }) => archive.maxBytes,
  'claude.homes': ({ claudeHomes }) => claudeHomes,
  'codex.homes': ({ codexHomes }) => codexHomes,
  'qdrant.url': ({ qdrant }) => qdrant?.url ?? null,
  'qdrant.api_key': ({ qdrant, settings }) => qdrant?.apiKey ?? settings.qdrant?.api_key ?? null,
  'qdrant.collection': ({ qdrant, settings }) => qdrant?.collection ?? settings.qdrant?.collection ?? null,
  'qdrant.timeout_ms': ({ qdrant, settings }) => qdrant?.timeoutMs ?? settings.qdrant?.timeout_ms ?? null,
};

function masked(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/(?:key|token|secret|password|passphrase)$/i.test(key)) return '********';
  // Of an address neither who logs in nor its query is anybody's business.
  return value
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1********@')
    .replace(/^([a-z]+:\/\/[^?]*\?).+$/i, '$1********');
}

function at(settings: object, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), settings);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
