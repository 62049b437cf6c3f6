import { accessSync, constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createClaudeSource } from './adapters/claude/claude-source.ts';
import { createCodexSource } from './adapters/codex/source.ts';
import { createRepositoryProbe } from './adapters/git/probe-repository.ts';
import { openSqliteIndexState } from './adapters/sqlite/sqlite-index-state.ts';
import { openSqlitePointStore } from './adapters/sqlite/sqlite-point-store.ts';
import { chunkingName } from './app/chunking-name.ts';
import type { IndexDependencies } from './app/index-transcripts.ts';
import type { PrivacyRules } from './app/privacy-rules.ts';
import type { DrainOptions, DrainReport } from './app/sync/drain-outbox.ts';
import type { Sharing } from './compose-sharing.ts';
import { type Config, environmentForAgents, withoutLogin } from './config.ts';
import { SmartForkError } from './domain/errors.ts';
import { DEFAULT_MODEL, knownModel } from './domain/known-models.ts';
import { createLexicalTokenizer, type LexicalTokenizer } from './domain/lexical.ts';
import type { ModelRecord } from './domain/model-record.ts';
import type { Notice } from './domain/result.ts';
import type { Embedder, ModelState } from './ports/embedder.ts';
import type { IndexState } from './ports/index-state.ts';
import type { PointStore } from './ports/point-store.ts';
import type { Redactor } from './ports/redactor.ts';
import type { RepositoryProbe } from './ports/repository-probe.ts';
import type { TerminalLauncher } from './ports/terminal-launcher.ts';
import type { ThisMachine } from './ports/this-machine.ts';
import type { TranscriptSource } from './ports/transcript-source.ts';

/** The adapters behind the ports, each opened when it is first asked for. */
export interface Parts {
  config: Config;
  machine: ThisMachine;
  sources: TranscriptSource[];
  probe: RepositoryProbe;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  /** The model that text is cut for, installed or not. */
  model(): Promise<ModelRecord>;
  modelState(): Promise<ModelState>;
  embedder(): Promise<Embedder>;
  /** For reading: the server's sessions too, where one is shared. */
  store(): Promise<PointStore>;
  /** What who reads should know of where the answers so far came from. */
  notices(): Notice[];
  /** This machine's own, for indexing and embedding. */
  local(): Promise<PointStore>;
  /** The same without a word to any server. */
  embedded(): Promise<PointStore>;
  storePath: string;
  /** Whether there may be something to find: here, or on a server. Opening the local store would make it. */
  storeExists(): boolean;
  /** Whether the local store is there. */
  localExists(): boolean;
  /** What sends this machine's sessions to the server; null without one. */
  sharing(): Promise<Sharing | null>;
  /** Sends what waits for the server; null without one, or when another process is at it. */
  share(options?: DrainOptions): Promise<DrainReport | null>;
  /** What the sessions are kept in, for people. */
  storeKind(): { kind: string; location: string };
  /**
   * For who runs long: notices a store whose file another process has replaced (`reindex`) and a model that was installed
   * meanwhile. Only while nothing is using them.
   */
  noticeChanges(): Promise<void>;
  /** Deletes the embedded store, and what was read into it from this machine's notes, to build it anew. */
  dropStore(): Promise<void>;
  state(): IndexState;
  /** Opens the configured terminal; null when there is none. */
  launcher(): Promise<TerminalLauncher | null>;
  privacy(): Promise<PrivacyRules>;
  /** What indexing needs. */
  indexing(): Promise<IndexDependencies>;
  homeProblems(): { message: string; fix: string; fatal: boolean }[];
  close(): Promise<void>;
}

/** The one place that knows which adapter stands behind which port. */
export function compose(config: Config): Parts {
  const storePath = join(config.home, 'index.db');
  const statePath = join(config.home, 'state.db');
  let located = once(() => locate(config));
  const model = async () => (await located()).record;
  let store: PointStore | null = null;
  let state: IndexState | null = null;
  let embedder: Embedder | null = null;
  let storeInode: number | null = null;
  const machine = thisMachine(config);
  const tokenizer = createLexicalTokenizer();
  const { qdrant, home } = config;
  let shared: Promise<Sharing> | null = null;
  /** Nothing of it is loaded without a server. */
  const sharing = async () => {
    if (qdrant === null) return null;
    shared ??= import('./compose-sharing.ts').then(({ composeSharing }) =>
      composeSharing({ qdrant, home, machine, tokenizer, model }),
    );
    return shared;
  };
  let both: PointStore | null = null;
  const bareStore = async () => {
    const chunking = chunkingName(await model());
    store ??= openSqlitePointStore(storePath, chunking);
    storeInode ??= inodeOf(storePath);
    return store;
  };
  const close = async () => {
    await embedder?.close();
    await store?.close();
    await (await shared)?.close();
    both = null;
    state?.close();
    store = null;
    storeInode = null;
    state = null;
    embedder = null;
  };
  const parts: Parts = {
    config,
    machine,
    sources: [
      createClaudeSource({ homes: config.claudeHomes }),
      createCodexSource({ homes: config.codexHomes }),
    ],
    probe: createRepositoryProbe(),
    tokenizer,
    redactor: lazyRedactor(config),
    model,
    modelState: async () => (await located()).state,
    async embedder() {
      const { record, state: found } = await located();
      const { createOnnxEmbedder } = await import('./adapters/onnx/onnx-embedder.ts');
      const { threads, idleMs } = config.embedding;
      // Nothing is awaited between the look and the making: calls may overlap.
      embedder ??= createOnnxEmbedder({ record, directory: found.directory, threads, idleMs });
      return embedder;
    },
    async store() {
      const [bare, server] = await Promise.all([bareStore(), sharing()]);
      if (server === null) return bare;
      both ??= server.both(bare);
      return both;
    },
    notices: () => both?.notices?.() ?? [],
    embedded: bareStore,
    async local() {
      const [bare, server] = await Promise.all([bareStore(), sharing()]);
      return server?.recorded(bare) ?? bare;
    },
    async noticeChanges() {
      if (storeInode !== null && storeInode !== inodeOf(storePath)) await close();
      const isReady = await located().then(
        ({ state: found }) => found.state === 'ready',
        () => false,
      );
      if (!isReady) located = once(() => locate(config));
    },
    storePath,
    storeExists: () => qdrant !== null || existsSync(storePath),
    localExists: () => existsSync(storePath),
    sharing,
    share: async (options) => {
      const server = await sharing();
      return server === null ? null : server.drain(await bareStore(), options);
    },
    storeKind: () =>
      qdrant === null
        ? { kind: 'sqlite', location: storePath }
        : { kind: 'qdrant', location: `${withoutLogin(qdrant.url)}, ${qdrant.collection}` },
    async dropStore() {
      await close();
      for (const end of ['', '-wal', '-shm']) rmSync(storePath + end, { force: true });
      parts.state().forgetAll();
    },
    state() {
      state ??= openSqliteIndexState(statePath);
      return state;
    },
    async launcher() {
      if (config.fork.launch === null) return null;
      const { createTerminalLauncher } = await import('./adapters/terminal/launch-terminal.ts');
      return createTerminalLauncher(config.fork.launch, environmentForAgents());
    },
    privacy: once(() => privacyRules(config)),
    async indexing() {
      const { sources, probe, redactor } = parts;
      return {
        store: await parts.local(),
        state: parts.state(),
        sources,
        probe,
        tokenizer,
        redactor,
        privacy: await parts.privacy(),
        model: await model(),
        machine: machine.name,
        now: machine.now,
      };
    },
    homeProblems: () => homeProblems(config.home),
    close,
  };
  return parts;
}

async function privacyRules({ privacy }: Config): Promise<PrivacyRules> {
  const { createPrivacyRules } = await import('./app/privacy-rules.ts');
  const { exclude, ignoreFileText, userHome, patterns } = privacy;
  return createPrivacyRules({ exclude, ignoreFileText, home: userHome, patterns });
}

/** The rules are loaded with the first text: a search has none. */
function lazyRedactor({ privacy }: Config): Redactor {
  const made = once(async () => {
    const { createRedactor } = await import('./adapters/secretlint/create-redactor.ts');
    return createRedactor({ patterns: privacy.patterns });
  });
  return { redact: async (texts) => (await made()).redact(texts) };
}

interface Located {
  record: ModelRecord;
  state: ModelState;
}

/** Finds the model without loading what runs it; a folder that is not there needs no look inside. */
async function locate({ embedding }: Config): Promise<Located> {
  const { model, modelDirectory, cacheDirectory } = embedding;
  const id = model ?? DEFAULT_MODEL;
  const folder = modelDirectory ?? join(cacheDirectory, `models--${id.replaceAll('/', '--')}`);
  const known = knownModel(id);
  if (!existsSync(folder) && known !== undefined) {
    return { record: known, state: { state: 'absent', directory: folder, reason: `it is not in ${folder}` } };
  }
  const { locateModel } = await import('./adapters/onnx/model-files.ts');
  const found = await locateModel({
    ...(model !== null && { id: model }),
    ...(modelDirectory !== null && { directory: modelDirectory }),
    cacheDir: cacheDirectory,
  });
  const record = found.record ?? known;
  if (record !== undefined) return { record, state: found.state };
  throw new SmartForkError(
    'MODEL_UNAVAILABLE',
    `nothing is known of the model ${id}: ${reasonOf(found.state)}`,
    {
      hint: 'Pull it (smart-fork model pull), or give a folder that holds it in SMART_FORK_MODEL_DIR.',
    },
  );
}

function reasonOf(state: ModelState): string {
  return state.state === 'ready' ? 'it has no record' : state.reason;
}

function thisMachine(config: Config): ThisMachine {
  return {
    name: config.machine,
    platform: process.platform,
    shell: config.shell,
    now: () => Date.now(),
    directoryExists: (path) =>
      path !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  };
}

/** Other people must not read what is in there, and it must be writable. */
function homeProblems(home: string): { message: string; fix: string; fatal: boolean }[] {
  if (!existsSync(home)) return [];
  const problems: { message: string; fix: string; fatal: boolean }[] = [];
  try {
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch {
    problems.push({
      message: `${home} cannot be written`,
      fix: `Make it writable: chmod u+rwx ${home}`,
      fatal: true,
    });
    return problems;
  }
  if (process.platform === 'win32') return problems;
  const open = ['', ...readdirSync(home)].filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0);
  if (open.length > 0) {
    const message = `${open.map((name) => name || home).join(', ')} can be read by others`;
    problems.push({ message, fix: `chmod -R go-rwx ${home}`, fatal: false });
  }
  return problems;
}

function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
