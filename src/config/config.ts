import { existsSync, statSync } from 'node:fs';
import { availableParallelism, homedir, hostname, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SmartForkError } from '../domain/errors.ts';
import type { Shell } from '../domain/machine/shell.ts';
import type { TerminalName } from '../domain/machine/terminals.ts';
import { DEFAULT_MODEL } from '../domain/model/known-models.ts';
import type { RankingName, SearchMode } from '../domain/search/search.ts';
import { type EmbeddingService, embeddingServiceOf } from './embedding.ts';
import { readDotenv, readSettings, readText, settingsPath } from './files.ts';
import type { Settings } from './schema.ts';
import { type Environment, filled, invalid, namesSet, switchOf } from './variables.ts';

export type { Environment };

const IGNORE_FILE = '.smartforkignore';
/** A reader falls back to the local store after this. */
const TIMEOUT_MS = 1200;
const ARCHIVE_BYTES = 2_000_000_000;

export interface QdrantConfig {
  url: string;
  /** Null for a server without keys. */
  apiKey: string | null;
  collection: string;
  /** How long who reads waits for an answer, a search for all of its answers. Milliseconds. */
  timeoutMs: number;
}

/** Everything smart-fork can be told, from `~/.smart-fork/config.json`, `~/.smart-fork/.env` and the environment. */
export interface Config {
  /** Where smart-fork keeps its own files. */
  home: string;
  machine: string;
  claudeHomes: string[];
  codexHomes: string[];
  /** The shell that commands to copy are written for. */
  shell: Shell;
  /** The session that smart-fork was called from, which it must not find. */
  currentSessionId: string | null;
  /** The project that the agent works on, where it says so. */
  projectDirectory: string | null;
  embedding: {
    /** The server embeds, with this model; null: a model on this machine does, which the rest is about. */
    service: EmbeddingService | null;
    /** Null: the model that lies in `modelDirectory`, else the default one. */
    model: string | null;
    modelDirectory: string | null;
    cacheDirectory: string;
    hubUrl: string | null;
    threads: number;
    idleMs: number;
    /** Whether the worker also embeds what other machines sent to the server without vectors. */
    forOthers: boolean;
  };
  /** The server that this machine shares with others; null: everything stays here. */
  qdrant: QdrantConfig | null;
  privacy: {
    exclude: { repositories?: string[]; paths?: string[]; branches?: string[] };
    patterns: { name: string; pattern: string }[];
    /** Text of `.smartforkignore`, or null. */
    ignoreFileText: string | null;
    /** What `~` stands for in the rules. */
    userHome: string;
  };
  /** Whether what goes to a server is sealed before. */
  encryption: boolean;
  archive: {
    /** Whether transcripts are kept; what was kept before can be restored in any case. */
    enabled: boolean;
    /** Whether they are sent to the server, where there is one. */
    remote: boolean;
    /** On disk. */
    maxBytes: number;
  };
  search: { maxResults: number; minScore: number; mode: SearchMode; ranking: RankingName };
  fork: {
    /** The terminal that forks are opened in when an agent asks for it; null: none is opened. */
    launch: TerminalName | null;
  };
  /** Set in the file: what `config list` shows as such. */
  settings: Settings;
  /** Which variables are set, and where. */
  variables: Record<string, '.env' | 'environment'>;
}

/** Changes when one of the files does that settings are read from. */
export function settingsStamp(home: string): string {
  const stats = [join(home, '.env'), settingsPath(home), join(home, IGNORE_FILE)].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return stats.map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`)).join();
}

/** The environment that a front end may look at: the terminal, the editor, the pager. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * The environment for an agent that is started from inside another one. What marks a child would keep it from saving
 * its session.
 */
export function environmentForAgents(environment: Environment = process.env): Environment {
  const inherited = Object.entries(environment).filter(([name]) => !OF_THE_PARENT.includes(name));
  return Object.fromEntries(inherited);
}

const OF_THE_PARENT = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
];

/**
 * Reads the configuration. Nothing is read from the current folder: a cloned repository must not be able to redirect
 * anyone's transcripts.
 * @param onInvalid is told of a file that cannot be used, in whose place the defaults hold; unless given, that is an error.
 * @throws SmartForkError CONFIG_INVALID, naming the file and the setting.
 */
export async function loadConfig(
  environment: Environment = process.env,
  onInvalid?: (problem: SmartForkError) => void,
): Promise<Config> {
  const home = resolve(filled(environment.SMART_FORK_HOME) ?? join(userHome(environment), '.smart-fork'));
  // Settings that cannot be read may have asked for encryption: nothing must go out in plain for a misplaced comma.
  let unread = false;
  const note = (problem: SmartForkError) => {
    unread = true;
    onInvalid?.(problem);
  };
  const onProblem = onInvalid && note;
  const dotenv = await orElse(() => readDotenv(join(home, '.env')), {}, onProblem);
  const env: Environment = { ...dotenv, ...environment };
  const settings = await orElse(() => readSettings(settingsPath(home)), {}, onProblem);
  const ignoreFileText = await orElse(async () => readIgnoreFile(home), null, onInvalid);
  const archiveSwitch = await orElse(async () => switchOf(env, 'SMART_FORK_ARCHIVE'), null, onInvalid);
  const remoteSwitch = await orElse(async () => switchOf(env, 'SMART_FORK_ARCHIVE_REMOTE'), false, onInvalid);
  const directory = filled(env.SMART_FORK_MODEL_DIR) ?? settings.embedding?.model_dir ?? null;
  const qdrant = await qdrantOf(env, settings);
  const encryption = switchOf(env, 'SMART_FORK_ENCRYPTION') ?? (unread || settings.encryption === 'on');
  const together = { hasServer: qdrant !== null, encryption };
  const service = await orElse(async () => embeddingServiceOf(env, settings, together), null, onInvalid);
  return {
    home,
    machine: filled(env.SMART_FORK_MACHINE) ?? settings.machine ?? hostname(),
    claudeHomes: agentHomes(env, 'CLAUDE_CONFIG_DIR', settings.claude?.homes ?? ['~/.claude']),
    codexHomes: agentHomes(env, 'CODEX_HOME', settings.codex?.homes ?? ['~/.codex']),
    shell: settings.fork?.shell ?? shellOf(env),
    currentSessionId: filled(env.CLAUDE_CODE_SESSION_ID) ?? null,
    projectDirectory: filled(env.CLAUDE_PROJECT_DIR) ?? null,
    embedding: {
      service,
      model:
        (service === null ? (filled(env.SMART_FORK_MODEL) ?? settings.embedding?.model) : undefined) ??
        (directory === null ? DEFAULT_MODEL : null),
      modelDirectory: directory === null ? null : resolve(directory),
      cacheDirectory: hubCache(env),
      hubUrl: filled(env.HF_ENDPOINT)?.replace(/\/+$/, '') ?? null,
      threads: settings.embedding?.threads ?? Math.max(1, Math.floor(availableParallelism() / 2)),
      idleMs: (settings.embedding?.idle_seconds ?? 60) * 1000,
      forOthers: settings.embedding?.for_others ?? true,
    },
    qdrant,
    privacy: {
      exclude: withoutUndefined(settings.privacy?.exclude ?? {}),
      patterns: settings.privacy?.redact ?? [],
      ignoreFileText,
      userHome: userHome(env),
    },
    encryption,
    archive: {
      enabled: archiveSwitch ?? settings.archive?.enabled ?? true,
      remote: remoteSwitch ?? settings.archive?.remote ?? !unread,
      maxBytes: settings.archive?.max_bytes ?? ARCHIVE_BYTES,
    },
    search: {
      maxResults: settings.search?.max_results ?? 5,
      minScore: settings.search?.min_score ?? 0,
      mode: settings.search?.mode ?? 'hybrid',
      ranking: settings.search?.ranking ?? 'default',
    },
    fork: { launch: launchOf(settings) },
    settings,
    variables: { ...namesSet(dotenv, '.env'), ...namesSet(environment, 'environment') },
  };
}

/**
 * Whether settings go together, and with what the environment says.
 * @throws SmartForkError CONFIG_INVALID
 */
export async function checkTogether(
  home: string,
  settings: Settings,
  environment: Environment = process.env,
): Promise<void> {
  const env: Environment = { ...(await readDotenv(join(home, '.env'))), ...environment };
  const encryption = switchOf(env, 'SMART_FORK_ENCRYPTION') ?? settings.encryption === 'on';
  const hasServer = (await qdrantOf(env, settings)) !== null;
  embeddingServiceOf(env, settings, { hasServer, encryption });
}

/** The file in which Claude keeps the user's MCP servers: beside `~/.claude`, but inside a folder that CLAUDE_CONFIG_DIR names. */
export function claudeUserFile(folder: string, env: Environment): string {
  const isDefault = filled(env.CLAUDE_CONFIG_DIR) === undefined && folder === expandHome('~/.claude', env);
  return isDefault ? expandHome('~/.claude.json', env) : join(folder, '.claude.json');
}

async function orElse<T>(
  read: () => Promise<T>,
  fallback: T,
  onInvalid?: (problem: SmartForkError) => void,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (onInvalid === undefined || !(error instanceof SmartForkError)) throw error;
    onInvalid(error);
    return fallback;
  }
}

function readIgnoreFile(home: string): string | null {
  const path = join(home, IGNORE_FILE);
  return existsSync(path) ? readText(path) : null;
}

/** The environment goes before the settings, one by one. */
async function qdrantOf(env: Environment, { qdrant }: Settings): Promise<QdrantConfig | null> {
  const url = filled(env.QDRANT_URL) ?? qdrant?.url;
  if (url === undefined) return null;
  const { settingsSchema, describeProblems } = await import('./schema.ts');
  const collection = filled(env.QDRANT_COLLECTION) ?? qdrant?.collection ?? 'claude_sessions';
  const timeoutMs = Number(filled(env.QDRANT_TIMEOUT_MS) ?? qdrant?.timeout_ms ?? TIMEOUT_MS);
  const checked = settingsSchema.safeParse({ qdrant: { url, collection, timeout_ms: timeoutMs } });
  if (!checked.success)
    throw invalid('QDRANT_URL, QDRANT_COLLECTION, QDRANT_TIMEOUT_MS', describeProblems(checked.error), null);
  return { url, apiKey: filled(env.QDRANT_API_KEY) ?? qdrant?.api_key ?? null, collection, timeoutMs };
}

/** A URL as it may be shown: it can hold a password. */
export function withoutLogin(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

function launchOf({ fork }: Settings): TerminalName | null {
  return fork?.launch === undefined || fork.launch === 'none' ? null : fork.launch;
}

/** HOME decides on every platform where it is set, so that a throw-away home holds. */
function userHome(environment: Environment): string {
  const own = [environment.HOME, environment.USERPROFILE].find(
    (path) => path !== undefined && isAbsolute(path),
  );
  return own ?? absoluteHome();
}

/** Only cmd sets PROMPT, and only Unix-like shells set SHELL on Windows. */
function shellOf(env: Environment): Shell {
  if (process.platform !== 'win32' || filled(env.SHELL) !== undefined) return 'posix';
  return filled(env.PROMPT) === undefined ? 'powershell' : 'cmd';
}

/** The agent's own variable goes before the settings: the agent writes there. */
function agentHomes(env: Environment, variable: string, configured: string[]): string[] {
  const own = filled(env[variable]);
  return (own === undefined ? configured : [own]).map((path) => expandHome(path, env));
}

/** Zod leaves the keys of what was not set; an exact optional has none. */
function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** `os.homedir()` answers what HOME says, be it empty or relative: then it is the system's entry that counts. */
function absoluteHome(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}

function expandHome(path: string, env: Environment): string {
  return resolve(path.replace(/^~(?=$|[\\/])/, () => userHome(env)));
}

/** The hub's cache, where its other tools look too. */
function hubCache(env: Environment): string {
  const cache = filled(env.XDG_CACHE_HOME) ?? join(userHome(env), '.cache');
  return resolve(filled(env.HF_HUB_CACHE) ?? join(filled(env.HF_HOME) ?? join(cache, 'huggingface'), 'hub'));
}
