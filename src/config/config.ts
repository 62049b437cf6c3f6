import { SmartForkError } from '../domain/errors.ts';
import { DEFAULT_MODEL } from '../domain/model/known-models.ts';
import { type EmbeddingService, embeddingServiceOf } from './embedding.ts';
import { type Environment, filled, hubCacheOf, smartForkHome, userHomeOf } from './environment.ts';
import { readDotenv, readIgnoreFile, readSettings } from './files.ts';
import { type ResolvedSettings, resolveSettings } from './resolve-settings.ts';

/** All that smart-fork can be told, in the shape the program uses. */
export type Config = ReturnType<typeof configOf>;
export type QdrantConfig = NonNullable<Config['qdrant']>;

/**
 * Reads the settings from `config.json` and `.env` in smart-fork's home, and from the environment. Nothing is read from the
 * current folder: a cloned repository must not be able to redirect anyone's transcripts.
 * @param onInvalid is told of each file and variable that cannot be used, which then counts as empty; unless given, that is
 * an error.
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
  const file = await orElse(() => readSettings(home), {});
  const ignoreFileText = await orElse(() => readIgnoreFile(home), null);
  const settings = resolveSettings({ environment, dotenv, file, unread }, note);
  // Encryption is on while settings cannot be read, which may contradict the others.
  const service = settings.unread ? null : await orElse(() => embeddingServiceOf(settings), null);
  return configOf({ home, env: { ...dotenv, ...environment }, settings, service, ignoreFileText });
}

/**
 * Checks that settings agree with each other and with the environment.
 * @param file what config.json sets, by key.
 * @throws SmartForkError CONFIG_INVALID
 */
export async function checkTogether(
  home: string,
  file: Record<string, unknown>,
  environment: Environment = process.env,
): Promise<ResolvedSettings> {
  const dotenv = await readDotenv(home);
  const settings = resolveSettings({ environment, dotenv, file, unread: false }, (problem) => {
    throw problem;
  });
  embeddingServiceOf(settings);
  return settings;
}

interface Read {
  home: string;
  env: Environment;
  settings: ResolvedSettings;
  service: EmbeddingService | null;
  ignoreFileText: string | null;
}

function configOf({ home, env, settings, service, ignoreFileText }: Read) {
  const { all, get } = settings;
  const url = get('qdrant.url');
  const launch = get('fork.launch');
  return {
    /** The folder of smart-fork's own files. */
    home,
    machine: get('machine'),
    claudeHomes: get('claude.homes'),
    codexHomes: get('codex.homes'),
    shell: get('fork.shell'),
    /** The session that smart-fork was called from, which it must not find. */
    currentSessionId: filled(env.CLAUDE_CODE_SESSION_ID) ?? null,
    /** The project that the agent works on, where it says so. */
    projectDirectory: filled(env.CLAUDE_PROJECT_DIR) ?? null,
    embedding: {
      /** The server embeds, with this model; null: a model on this machine does, which the rest is about. */
      service,
      /** Null: the model in `modelDirectory`. The default one if the server cannot embed after all. */
      model:
        service === null && get('embedding.provider') !== 'local' ? DEFAULT_MODEL : get('embedding.model'),
      modelDirectory: get('embedding.model_dir'),
      cacheDirectory: hubCacheOf(env),
      hubUrl: filled(env.HF_ENDPOINT)?.replace(/\/+$/, '') ?? null,
      threads: get('embedding.threads'),
      idleMs: get('embedding.idle_seconds') * 1000,
      forOthers: get('embedding.for_others'),
    },
    /** The server that this machine shares with others; null: everything stays here. */
    qdrant:
      url === null
        ? null
        : {
            url,
            /** Null for a server without keys. */
            apiKey: get('qdrant.api_key'),
            collection: get('qdrant.collection'),
            /** How long a reader waits for an answer, a search for all of its answers. Milliseconds. */
            timeoutMs: get('qdrant.timeout_ms'),
          },
    privacy: {
      exclude: withoutEmpty({
        repositories: get('privacy.exclude.repositories'),
        paths: get('privacy.exclude.paths'),
        branches: get('privacy.exclude.branches'),
      }),
      patterns: get('privacy.redact'),
      /** Text of `.smartforkignore`. */
      ignoreFileText,
      /** What `~` stands for in the rules. */
      userHome: userHomeOf(env),
    },
    /** Whether what goes to a server is sealed first. */
    encryption: get('encryption') === 'on',
    archive: {
      /** Whether transcripts are archived; what is in the archive can be restored in any case. */
      enabled: get('archive.enabled'),
      /** Whether they are sent to the server, where there is one. */
      remote: get('archive.remote'),
      /** On disk. */
      maxBytes: get('archive.max_bytes'),
    },
    search: {
      maxResults: get('search.max_results'),
      minScore: get('search.min_score'),
      mode: get('search.mode'),
      ranking: get('search.ranking'),
    },
    fork: {
      /** The terminal that forks are opened in when an agent asks for it; null: none is opened. */
      launch: launch === 'none' ? null : launch,
    },
    /** Every setting by key, with its origin. */
    settings: all,
  };
}

/** The rules of privacy are named after what they hold: an empty list must not make another name. */
function withoutEmpty<T extends Record<string, string[]>>(lists: T): Partial<T> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
}
