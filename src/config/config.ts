import { AGENT_ROWS, AGENTS } from '../domain/agent/agents.ts';
import { byAgent } from '../domain/agent/by-agent.ts';
import { SmartForkError } from '../domain/errors.ts';
import { DEFAULT_MODEL } from '../domain/model/known-models.ts';
import { type EmbeddingService, embeddingModel, embeddingServiceOf } from './embedding.ts';
import { type Environment, filled, hubCacheOf, smartForkHome, userHomeOf } from './environment.ts';
import { extractorOf } from './extractor.ts';
import { readDotenv, readIgnoreFile, readSettings } from './files.ts';
import { intervalMs } from './kinds.ts';
import { withoutEffect } from './prd-settings.ts';
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts';
import { transcriptHomes } from './transcript-homes.ts';
import { usedHome } from './used-home.ts';

/** Every setting, in the shape the program uses. */
export type Config = ReturnType<typeof configOf>;
export type QdrantConfig = NonNullable<Config['qdrant']>;

/**
 * Reads the settings from `config.json` and `.env` in smart-fork's home, and from the environment. Never reads the current
 * folder: a cloned repository must not be able to redirect a user's transcripts.
 * @param onInvalid called for each invalid file and variable, which then counts as empty. Without it, the first one throws.
 * @throws SmartForkError CONFIG_INVALID, naming the file and the setting.
 */
export async function loadConfig(
  environment: Environment = process.env,
  onInvalid?: (problem: SmartForkError) => void,
): Promise<Config> {
  const home = smartForkHome(environment);
  let unread = false;
  const note = (problem: unknown) => {
    if (onInvalid === undefined || !(problem instanceof SmartForkError)) throw problem;
    unread = true;
    onInvalid(problem);
  };
  const orElse = async <T>(read: () => T | Promise<T>, fallback: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      note(error);
      return fallback;
    }
  };
  const dotenv = await orElse(() => readDotenv(home), {});
  const { file, entries } = await orElse(() => readSettings(home), { file: {}, entries: [] });
  const ignoreFileText = await orElse(() => readIgnoreFile(home), null);
  const settings = resolveSettings({ environment, dotenv, file, unread }, note);
  // Unreadable settings turn encryption on, which may contradict other settings.
  const service = settings.unread ? null : await orElse(() => embeddingServiceOf(settings), null);
  const extractor = settings.unread ? null : await orElse(() => extractorOf(settings), null);
  return configOf({
    extractor,
    home,
    env: { ...dotenv, ...environment },
    settings,
    service,
    ignoreFileText,
    entries,
  });
}

/**
 * Checks that the settings agree with each other and with the environment.
 * @param file the settings in config.json, by key.
 * @throws SmartForkError CONFIG_INVALID
 */
export async function checkTogether(home: string, file: Record<string, unknown>): Promise<ResolvedSettings> {
  const sources = { environment: process.env, dotenv: await readDotenv(home), file, unread: false };
  const settings = resolveSettings(sources, (problem) => {
    throw problem;
  });
  embeddingServiceOf(settings);
  extractorOf(settings);
  return settings;
}

interface Read {
  home: string;
  extractor: ReturnType<typeof extractorOf>;
  env: Environment;
  settings: ResolvedSettings;
  service: EmbeddingService | null;
  ignoreFileText: string | null;
  entries: [string, unknown][];
}

function configOf({ extractor, home, env, settings, service, ignoreFileText, entries }: Read) {
  const { all, get } = settings;
  const url = get('qdrant.url');
  const launch = get('fork.launch');
  return {
    /** The folder for smart-fork's own files. */
    home,
    machine: get('machine'),
    /** The folders that each agent writes to. */
    homes: byAgent((agent) => get(`${agent}.homes`)),
    /** The folders in which to look for each agent's transcripts. */
    transcriptHomes: byAgent((agent) => transcriptHomes(agent, get(`${agent}.homes`), env)),
    /** The home that each agent's program uses if nothing else is said. */
    usedHomes: byAgent((agent) => usedHome(agent, env)),
    shell: get('fork.shell'),
    /** The user's token prices, which come before the built-in ones. */
    prices: get('usage.prices'),
    /** The session that the agent named when it started this process. */
    currentSessionId: fromAgent(env, 'session'),
    /** The agent's process, if an agent started this one. */
    agentProcess: Number(fromAgent(env, 'process')) || process.ppid,
    /** The agent's project folder, if the agent sets it. */
    projectDirectory: fromAgent(env, 'project'),
    embedding: {
      /** The server's embedding service; null: a model on this machine embeds, to which the other settings apply. */
      service,
      /** Null: the model in `modelDirectory`. The default model if the service turns out to be unusable. */
      model:
        service === null && get('embedding.provider') !== 'local' ? DEFAULT_MODEL : embeddingModel(settings),
      modelDirectory: get('embedding.model_dir'),
      cacheDirectory: hubCacheOf(env),
      hubUrl: filled(env.HF_ENDPOINT)?.replace(/(?<!\/)\/+$/, '') ?? null,
      threads: get('embedding.threads'),
      idleMs: get('embedding.idle_seconds') * 1000,
      forOthers: get('embedding.for_others'),
      /** Passages between two writes; null: as many as suit the command. */
      batch: batchSize(get('embedding.batch_size'), get('embedding.max_batch_memory_mb')),
      /** Sizes of passages in estimated tokens; null: the model's. */
      chunk: { target: get('indexing.chunk_size_tokens'), overlap: get('indexing.chunk_overlap_tokens') },
    },
    /** The model that reads sessions; null if there is none. */
    extractor,
    /** The server this machine shares with others; null: everything stays on this machine. */
    qdrant:
      url === null
        ? null
        : {
            url,
            /** Null for a server without keys. */
            apiKey: get('qdrant.api_key'),
            collection: get('qdrant.collection'),
            layout: {
              shards: get('qdrant.shards'),
              replicas: get('qdrant.replicas'),
              writeConsistency: get('qdrant.write_consistency'),
            },
            /** Milliseconds that a search waits for all its answers, and any other read for a single one. */
            timeoutMs: get('qdrant.timeout_ms'),
          },
    privacy: {
      exclude: withoutEmpty({
        repositories: get('privacy.exclude.repositories'),
        paths: get('privacy.exclude.paths'),
        branches: get('privacy.exclude.branches'),
      }),
      patterns: get('privacy.redact'),
      ignoreFileText,
      /** What `~` stands for in the rules. */
      userHome: userHomeOf(env),
    },
    /** Whether data is sealed before it is sent to a server. */
    encryption: get('encryption') === 'on',
    archive: {
      /** Whether transcripts are archived. Those already archived can be restored in any case. */
      enabled: get('archive.enabled'),
      /** Whether transcripts are also sent to the server. */
      remote: get('archive.remote'),
      /** Size limit on disk, in bytes. */
      maxBytes: get('archive.max_bytes'),
    },
    /** Whether sessions are indexed without being asked. */
    autoIndex: get('indexing.auto_index'),
    /** Whether logs are written. */
    logs: get('logs.enabled'),
    search: {
      maxResults: get('search.max_results'),
      minScore: get('search.min_score'),
      mode: get('search.mode'),
      ranking: get('search.ranking'),
      /** Name, id or folder of the reranker; null if there is none. */
      reranker: get('search.reranker') === 'none' ? null : get('search.reranker'),
      /** Which sessions agents may see. */
      scope: get('search.scope'),
      /** Whether the current repository's sessions come first among nearly equal results. */
      preferRepository: get('search.prefer_repository'),
      /** What the formulas of both rankings take from the settings. */
      formula: {
        threshold: get('search.similarity_threshold'),
        recencyDays: get('search.recency_weight_days'),
        recentBoost: get('search.include_recent_boost'),
      },
      /** Whether sessions forked after similar searches come first among nearly equal results. */
      learnFromForks: get('search.learn_from_forks'),
    },
    memory: {
      suggest: get('memory.suggest'),
      /** Time limit for finding a suggestion, in milliseconds. */
      suggestMs: get('memory.suggest_ms'),
    },
    fork: {
      /** The terminal in which to open a fork requested by an agent; null: never open one. */
      launch: launch === 'none' ? null : launch,
    },
    /** Settings that turn MCP tools on, and do. */
    optionalTools: (['fork.ask_tool'] as const).filter((name) => get(name)),
    serve: {
      /** False: `serve` refuses to start. */
      enabled: get('serve.enabled'),
      port: get('serve.port'),
      host: get('serve.host'),
      /** Milliseconds. */
      refreshMs: intervalMs(get('serve.refresh')) ?? 3_600_000,
      /** Whether the Markdown files are kept up to date. */
      export: get('serve.export'),
      /** Whether qmd's collections are too. */
      qmd: get('serve.qmd'),
    },
    /** Every setting by key, with its origin. */
    settings: all,
    /** Keys in config.json that have no effect, or less than the requirements document says. */
    withoutEffect: withoutEffect(entries, { home, userHome: userHomeOf(env) }),
  };
}

/** Megabytes that the requirements document allows for each passage of a batch, and its smallest batch. */
const BATCH_MB = 10;
const SMALLEST_BATCH = 10;

function batchSize(wanted: number | null, memoryMb: number | null): number | null {
  if (memoryMb === null) return wanted;
  return Math.max(
    Math.min(wanted ?? Number.MAX_SAFE_INTEGER, Math.floor(memoryMb / BATCH_MB)),
    SMALLEST_BATCH,
  );
}

/** The first variable of its kind that an agent has set for this process; null if none has. */
function fromAgent(env: Environment, kind: 'session' | 'process' | 'project'): string | null {
  const names = AGENTS.map((agent) => AGENT_ROWS[agent].variables[kind]);
  return names.map((name) => filled(env[name ?? ''])).find((value) => value !== undefined) ?? null;
}

/** The privacy rules' name is a hash of their content: an empty list must not change it. */
function withoutEmpty<T extends Record<string, string[]>>(lists: T): Partial<T> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
}
