import { hostname } from 'node:os';
import { AGENT_ROWS, AGENTS, type Agent } from '../domain/agent/agents.ts';
import { namesOf } from '../domain/agent/by-agent.ts';
import { SHELLS } from '../domain/machine/shell.ts';
import { TERMINALS } from '../domain/machine/terminals.ts';
import { DEFAULT_MODEL, EMBEDDING_PROVIDERS, SERVICE_MODEL } from '../domain/model/known-models.ts';
import { RANKINGS, SCOPES, SEARCH_MODES } from '../domain/search/search.ts';
import { SUGGESTING } from '../domain/suggest/suggestion.ts';
import { type Environment, shellOf } from './environment.ts';
import * as k from './kinds.ts';

/** Agents that answer a question without a session. */
const ANSWERING = AGENTS.filter((agent) => AGENT_ROWS[agent].model !== undefined);

/**
 * All settings of config.json: type, default (or how to compute it) and description. `config list`, .env.example,
 * docs/configuration.md and the variables that agents pass to the MCP server are derived from this table.
 */
// biome-ignore format: a table, one setting per row
const SETTINGS = {
  machine: setting(k.text(/^[\s\S]{1,200}$/), () => hostname(), 'name of this machine in results', { variable: 'SMART_FORK_MACHINE', defaultText: 'the host name' }),
  'embedding.provider': setting(k.oneOf(EMBEDDING_PROVIDERS), 'local', 'local: a model on this machine embeds; qdrant-cloud: the server embeds, this machine needs no model', { variable: 'SMART_FORK_EMBEDDING_PROVIDER' }),
  'embedding.model': optional(k.text(), defaultModel, 'nomic-embed-text-v1.5, multilingual-e5-small, bge-small-en-v1.5, all-MiniLM-L6-v2, or another model’s id on the Hugging Face hub; with qdrant-cloud, the service’s name for it', { variable: 'SMART_FORK_MODEL', defaultText: `${DEFAULT_MODEL}; with qdrant-cloud ${SERVICE_MODEL.id}` }),
  'embedding.dimensions': optional(k.wholeNumber(1, 65_536), defaultDimensions, 'vector length; required with qdrant-cloud, except for its default model', { defaultText: 'the model’s' }),
  'embedding.model_dir': optional(k.folder(), null, 'model folder, for machines that cannot reach the Hugging Face hub', { variable: 'SMART_FORK_MODEL_DIR' }),
  'embedding.threads': optional(k.wholeNumber(1, 256), null, 'threads for embedding', { defaultText: 'all cores while the machine is idle and on AC power, else half' }),
  'embedding.idle_seconds': setting(k.wholeNumber(1, 86_400), 60, 'seconds of inactivity before the model is unloaded'),
  'embedding.for_others': setting(k.flag(), true, 'embed the passages that other machines sent without vectors'),
  'embedding.batch_size': optional(k.wholeNumber(1, 10_000), null, 'passages embedded between two writes', { defaultText: '64; 4 in the worker' }),
  'embedding.max_batch_memory_mb': optional(k.wholeNumber(100, 1_000_000), null, 'memory for such a batch in megabytes: 10 for each passage', { defaultText: 'no limit; passages are embedded one at a time' }),
  'indexing.chunk_size_tokens': optional(k.wholeNumber(50, 8000), null, 'target size of a passage in tokens, at most what the model reads; another size requires smart-fork reindex', { defaultText: '750, or what the model reads' }),
  'indexing.chunk_overlap_tokens': optional(k.wholeNumber(0, 2000), null, 'tokens that a passage repeats of the one before, at most a fifth of its size; requires smart-fork reindex', { defaultText: '150, or a fifth' }),
  'indexing.auto_index': setting(k.flag(), true, 'index automatically; with false, hooks and the worker index nothing, and only smart-fork index does'),
  'search.max_results': setting(k.wholeNumber(1, 200), 5, 'number of search results'),
  'search.min_score': setting(k.number(0, 2), 0, 'hide results below this score'),
  'search.mode': setting(k.oneOf(SEARCH_MODES), 'hybrid', 'how to search: by keyword, by meaning (dense), or both (hybrid)'),
  'search.ranking': setting(k.oneOf(RANKINGS), 'default', 'how to rank results; prd: a sum of best and mean similarity, share of relevant passages and recency'),
  'search.similarity_threshold': optional(k.number(0, 1), null, 'for the ranking prd: similarity above which a passage counts as relevant; if set, sessions without such a passage are left out', { defaultText: '0.3, and no session is left out' }),
  'search.include_recent_boost': setting(k.flag(), true, 'rank recent sessions a little higher; with the ranking prd by a quarter of the score'),
  'search.recency_weight_days': optional(k.number(0.1, 3650), null, 'days after which that has faded to 37 %', { defaultText: '7; with the ranking prd 30' }),
  'search.reranker': setting(k.reranker(), 'none', 'model that reranks the first 20 results; a folder needs an ONNX cross-encoder, config.json and tokenizer.json', { variable: 'SMART_FORK_RERANKER' }),
  'search.scope': setting(k.oneOf(SCOPES), 'all', 'sessions that agents may see through the MCP tools and hooks: all; repository: those of their repository, clones included; project: those of this checkout'),
  'search.prefer_repository': setting(k.flag(), true, 'among close results, show those of the current repository first'),
  'search.learn_from_forks': setting(k.flag(), true, 'among close results, show first those that were forked after a similar search on this machine'),
  'logs.enabled': setting(k.flag(), true, 'keep indexing.log, search.log and errors.log in the folder logs on this machine; they have no words of searches or sessions'),
  'memory.suggest': setting(k.oneOf(SUGGESTING), 'off', 'tell a new session about earlier sessions in its repository: off; quiet: only the agent; on: you too'),
  'memory.suggest_ms': setting(k.wholeNumber(50, 10_000), 300, 'time limit for finding a suggestion, in milliseconds'),
  'memory.extractor': setting(k.oneOf(['none', 'agent', 'endpoint']), 'none', `model that finds decisions and findings that the rules miss: none; agent: ${namesOf(ANSWERING, 'or')}; endpoint: an OpenAI-compatible server (docs/memory.md)`),
  'memory.agent': setting(k.oneOf(ANSWERING), AGENTS[0], 'the agent for memory.extractor agent'),
  'memory.model': optional(k.text(), null, 'the model for memory.extractor; required with codex and with endpoint; a cheap one is enough', { defaultText: 'haiku with claude' }),
  'memory.endpoint': optional(k.httpUrl(), null, 'base URL of the server, such as http://127.0.0.1:11434/v1', { masked: 'login' }),
  'memory.api_key': optional(k.text(), null, 'API key for memory.endpoint, if required; better in .env than in config.json', { variable: 'SMART_FORK_MEMORY_API_KEY', masked: 'all' }),
  'memory.calls_per_day': setting(k.wholeNumber(1, 100_000), 50, 'maximum model calls per day'),
  'memory.tokens_per_day': setting(k.wholeNumber(1, 1_000_000_000), 300_000, 'maximum tokens per day, input and output together'),
  'fork.shell': setting(k.oneOf(SHELLS), ({ env }) => shellOf(env), 'shell for which printed commands are quoted', { defaultText: 'the shell smart-fork runs in' }),
  'fork.launch': setting(k.oneOf(['none', ...TERMINALS]), 'none', `terminal in which forks requested by an agent open: none, ${TERMINALS.join(', ')}`),
  'fork.ask_tool': setting(k.flag(), false, 'offer agents the MCP tool ask_session: a session’s agent answers a question, which costs tokens like a prompt of its whole context'),
  'serve.enabled': setting(k.flag(), true, 'false: smart-fork serve refuses to start'),
  'serve.port': setting(k.wholeNumber(1, 65_535), 8741, 'port of smart-fork serve; the next free one if this default is taken', { variable: 'SMART_FORK_PORT' }),
  'serve.host': setting(k.text(/^[\w.:-]+$/, 'a host name or an address'), '127.0.0.1', 'address that smart-fork serve listens on; an address that other machines can reach requires --token-file'),
  'serve.refresh': setting(k.interval(), '1h', 'how often smart-fork serve looks for missed changes and exports: 15m, 1h, 6h'),
  'serve.export': setting(k.flag(), false, 'keep the Markdown files of smart-fork export up to date while smart-fork serve runs'),
  'serve.qmd': setting(k.flag(), false, 'the same with qmd’s collections of them, as smart-fork export --qmd'),
  'usage.prices': setting(k.prices(1000), [], 'your prices of a million tokens, in US dollars, by model: [{"model", "input", "output", "cache_read", "cache_write", "cache_write_1h"}]; other models have the built-in prices'),
  'privacy.exclude.repositories': setting(k.textList(1000), [], 'repositories to exclude: names, host/owner/name, globs'),
  'privacy.exclude.paths': setting(k.textList(1000), [], 'folders to exclude, with everything below them'),
  'privacy.exclude.branches': setting(k.textList(1000), [], 'branches to exclude'),
  'privacy.redact': setting(k.namedPatterns(100), [], 'your own patterns to redact: [{"name", "pattern"}], RE2 syntax'),
  'qdrant.url': optional(k.httpUrl(), null, 'a Qdrant server that all your machines share (docs/qdrant.md)', { variable: 'QDRANT_URL', masked: 'login' }),
  'qdrant.api_key': optional(k.text(), null, 'API key for qdrant.url; better in .env than in config.json', { variable: 'QDRANT_API_KEY', masked: 'all' }),
  // Qdrant creates a folder of this name.
  'qdrant.collection': setting(k.text(/^(?!\.+$)[\w.-]{1,255}$/, 'letters, digits, . _ and -, at most 255'), 'claude_sessions', 'name of the collection on the server', { variable: 'QDRANT_COLLECTION' }),
  'qdrant.shards': optional(k.wholeNumber(1, 1024), null, 'number of shards for a new collection', { defaultText: 'the server’s' }),
  'qdrant.replicas': optional(k.wholeNumber(1, 32), null, 'copies of each shard; with 2 or more, search survives the loss of a node', { defaultText: 'the server’s' }),
  'qdrant.write_consistency': optional(k.wholeNumber(1, 32), null, 'copies that must confirm a write', { defaultText: 'the server’s' }),
  'qdrant.timeout_ms': setting(k.wholeNumber(100, 60_000), 1200, 'how long a search waits for the server before it falls back to this machine’s index, in milliseconds', { variable: 'QDRANT_TIMEOUT_MS' }),
  encryption: setting(k.onOrOff(), 'off', 'on: encrypt data before it is sent to a server; requires a key (smart-fork key create)', { variable: 'SMART_FORK_ENCRYPTION', whenUnread: 'on' }),
  'archive.enabled': setting(k.flag(), true, 'archive compressed copies of transcripts', { variable: 'SMART_FORK_ARCHIVE' }),
  'archive.remote': setting(k.flag(), true, 'send redacted transcripts to the server too', { variable: 'SMART_FORK_ARCHIVE_REMOTE', whenUnread: false }),
  'archive.max_bytes': setting(k.bytes(1_000_000), 2_000_000_000, 'maximum size of the archive in bytes; the oldest copies are deleted to make room'),
  ...homes(),
};

/** Variables without a setting in config.json. `handed`: agents pass it to the MCP server. `dotenv`: .env can set it too. */
// biome-ignore format: a table, one variable per row
export const OTHER_VARIABLES = {
  SMART_FORK_HOME: { handed: true, dotenv: false, description: 'folder for smart-fork’s files (default ~/.smart-fork)' },
  SMART_FORK_PAGER: { handed: false, dotenv: false, description: 'pager for smart-fork show (default PAGER, then less)' },
  SMART_FORK_PASSPHRASE: { handed: false, dotenv: false, description: 'passphrase for smart-fork key create without a terminal' },
  HF_HOME: { handed: true, dotenv: true, description: 'Hugging Face home folder (default ~/.cache/huggingface)' },
  HF_HUB_CACHE: { handed: true, dotenv: true, description: 'folder for downloaded models (default HF_HOME/hub)' },
  HF_ENDPOINT: { handed: true, dotenv: true, description: 'Hugging Face mirror' },
  XDG_CACHE_HOME: { handed: true, dotenv: true, description: 'parent of HF_HOME (default ~/.cache)' },
};

/** The variables that must be passed to the MCP server by an agent that passes on only listed ones. */
export function variablesForAgents(): string[] {
  const ofSettings = Object.values(settingRows).flatMap(({ variable }) => variable ?? []);
  const others = Object.entries(OTHER_VARIABLES).flatMap(([name, { handed }]) => (handed ? name : []));
  return [...ofSettings, ...others];
}

interface Setting<T, D> {
  kind: k.Kind<T>;
  /** Null if there is no default. */
  default: D | ((facts: Facts) => D);
  description: string;
  /** Takes precedence over config.json. Agents pass it to the MCP server. */
  variable?: string;
  /** Describes a computed default. */
  defaultText?: string;
  /** The safe value, used while settings cannot be read, because they may ask for it. */
  whenUnread?: T;
  /** The part never shown: the whole value, or the login and query of a URL. */
  masked?: 'all' | 'login';
}

interface Facts {
  env: Environment;
  /** The value of another setting. */
  of(key: string): unknown;
}

type More<T> = Partial<Pick<Setting<T, T>, 'variable' | 'defaultText' | 'whenUnread' | 'masked'>>;
type Default<D> = Setting<never, D>['default'];

function setting<T>(
  kind: k.Kind<T>,
  standard: Default<NoInfer<T>>,
  description: string,
  more: More<T> = {},
): Setting<T, T> {
  return { kind, default: standard, description, ...more };
}

/** A setting whose default may be null. */
function optional<T>(
  kind: k.Kind<T>,
  standard: Default<T | null>,
  description: string,
  more: More<T> = {},
): Setting<T, T | null> {
  return { kind, default: standard, description, ...more };
}

/** For each agent, `<agent>.homes`. */
function homes(): Record<`${Agent}.homes`, Setting<string[], string[]>> {
  const rows = AGENTS.map((agent) => {
    const { name, home } = AGENT_ROWS[agent];
    const description = `folders ${name} writes its transcripts to`;
    return [
      `${agent}.homes`,
      setting(k.folders(), [home.folder], description, { variable: home.variable ?? undefined }),
    ];
  });
  return Object.fromEntries(rows);
}

function defaultModel({ of }: Facts): string | null {
  if (of('embedding.provider') === 'qdrant-cloud') return SERVICE_MODEL.id;
  return of('embedding.model_dir') === null ? DEFAULT_MODEL : null;
}

function defaultDimensions({ of }: Facts): number | null {
  return of('embedding.model') === SERVICE_MODEL.id ? SERVICE_MODEL.dimensions : null;
}

export type SettingKey = keyof typeof SETTINGS;
export type AnySetting = Setting<unknown, unknown>;
export type SettingValues = {
  [K in SettingKey]: (typeof SETTINGS)[K] extends Setting<infer _, infer D> ? D : never;
};

/** The table, typed for loops and lookups by name. */
export const settingRows: Record<SettingKey, AnySetting> = SETTINGS;

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

export function settingKeys(): SettingKey[] {
  return Object.keys(SETTINGS).filter(isSettingKey);
}
