import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFileArchive } from '../adapters/archive/file-archive.ts';
import { createClaudeSource } from '../adapters/claude/source.ts';
import { createCodexSource } from '../adapters/codex/source.ts';
import { createRepositoryProbe } from '../adapters/git/probe-repository.ts';
import { openSqlitePointStore } from '../adapters/sqlite/points/sqlite-point-store.ts';
import { openSqliteIndexState } from '../adapters/sqlite/state/sqlite-index-state.ts';
import { homeProblems } from '../adapters/system/home-problems.ts';
import { createTranscriptFiles } from '../adapters/system/transcript-files.ts';
import type { KeepDependencies } from '../app/archive/keep-transcripts.ts';
import { chunkingName } from '../app/index/chunking-name.ts';
import type { IndexDependencies } from '../app/index/index-transcripts.ts';
import type { PrivacyRules } from '../app/privacy/privacy-rules.ts';
import type { DrainOptions, DrainReport } from '../app/share/send/drain-outbox.ts';
import type { Config } from '../config/config.ts';
import { environmentForAgents, withoutLogin } from '../config/environment.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { Notice } from '../domain/result.ts';
import { createLexicalTokenizer, type LexicalTokenizer } from '../domain/search/lexical.ts';
import type { Embedder, ModelState, QueryEmbedder } from '../ports/embedder.ts';
import type { IndexState } from '../ports/index-state.ts';
import type { Lease } from '../ports/lease.ts';
import type { RepositoryProbe, TerminalLauncher, ThisMachine, TranscriptFiles } from '../ports/machine.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ArchiveReader, SessionArchive } from '../ports/session-archive.ts';
import { type SessionWriter, writeInPlace } from '../ports/session-writer.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { namedArchive, serverArchive } from './archive.ts';
import { composeEmbedding } from './embedding.ts';
import { thisMachine } from './machine.ts';
import { forgottenHere, lazyRedactor, privacyRules } from './privacy.ts';
import type { Sharing } from './server.ts';

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
  /** For documents; where the server embeds, there is none. */
  embedder(): Promise<Embedder>;
  queries(): Promise<QueryEmbedder>;
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
  /** Whether another process has put a new store in the place of the one that is open (`reindex`); one that is gone is not yet replaced. */
  isReplaced(): boolean;
  /**
   * For who runs long: notices a store whose file another process has replaced (`reindex`) and a model that was installed
   * meanwhile. Only while nothing is using them.
   */
  noticeChanges(): Promise<void>;
  /** Deletes the embedded store, and what was read into it from this machine's notes, to build it anew. */
  dropStore(): Promise<void>;
  state(): IndexState;
  /** The right to be the one process of this machine that does something; to be closed by who asks. */
  lease(name: string): Promise<Lease>;
  /** Opens the configured terminal; null when there is none. */
  launcher(): Promise<TerminalLauncher | null>;
  privacy(): Promise<PrivacyRules>;
  /** The copies of transcripts that are kept on this machine. */
  archive: SessionArchive;
  /** All that transcripts are restored from, the nearest first. */
  archives: ArchiveReader[];
  /** What a session of `store` is called in this machine's own files; empty when they have another one under its id. */
  localId(sessionId: string): string;
  /** A session of the server lies here under another id from now on. */
  noteName(name: string, sessionId: string): void;
  transcripts: TranscriptFiles;
  /** What keeping copies needs. */
  keeping(): Promise<KeepDependencies>;
  /** What indexing needs; `writer` is the caller's to close. */
  indexing(options?: { beside: boolean }): Promise<IndexDependencies>;
  homeProblems(): { message: string; fix: string; fatal: boolean }[];
  close(): Promise<void>;
}

/** The one place that knows which adapter stands behind which port. */
export function compose(config: Config): Parts {
  const storePath = join(config.home, 'index.db');
  const statePath = join(config.home, 'state.db');
  const redactor = lazyRedactor(config);
  const embedding = composeEmbedding(config, redactor);
  const { model } = embedding;
  let store: PointStore | null = null;
  let state: IndexState | null = null;
  let storeInode: number | null = null;
  const machine = thisMachine(config);
  const tokenizer = createLexicalTokenizer();
  const { qdrant, home } = config;
  let shared: Promise<Sharing> | null = null;
  let loaded: Sharing | null = null;
  /** Nothing of it is loaded without a server. */
  const sharing = async () => {
    if (qdrant === null) return null;
    shared ??= import('./server.ts').then(({ composeSharing }) =>
      composeSharing({
        ...{ qdrant, encryption: config.encryption, home, machine, tokenizer, model },
        redactor: parts.redactor,
        service: embedding.service,
        async transcripts() {
          if (!config.archive.remote) return null;
          const { sources, redactor } = parts;
          return { sources, redactor, kept: archive, rules: (await parts.privacy()).name };
        },
        notes: () => parts.state(),
        removeKept: (ids) => archive.remove(ids),
      }),
    );
    loaded = await shared;
    return loaded;
  };
  // Ids of the server's are only had from a store, which has loaded it.
  const localId = (sessionId: string) => loaded?.localId()(sessionId) ?? sessionId;
  let both: PointStore | null = null;
  const bareStore = async () => {
    const chunking = chunkingName(await model());
    store ??= openSqlitePointStore(storePath, chunking);
    storeInode ??= inodeOf(storePath);
    return store;
  };
  const ownStore = async () => embedding.local(await bareStore());
  const archive = createFileArchive({
    folder: join(config.home, 'archive'),
    openLease: () => parts.lease('archive'),
  });
  const close = async () => {
    await embedding.close();
    await store?.close();
    await (await shared)?.close();
    both = null;
    state?.close();
    archive.close();
    store = null;
    storeInode = null;
    state = null;
  };
  const writerBeside = async (inPlace: SessionWriter) => {
    const { createThreadWriter } = await import('../adapters/sqlite/thread/thread-writer.ts');
    return createThreadWriter({
      inPlace,
      tokenizer: parts.tokenizer,
      path: storePath,
      chunking: chunkingName(await model()),
    });
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
    redactor,
    model,
    modelState: embedding.state,
    embedder: embedding.embedder,
    queries: embedding.queries,
    async store() {
      const [bare, server] = await Promise.all([ownStore(), sharing()]);
      if (server === null) return bare;
      both ??= server.both(bare);
      return both;
    },
    notices: () => both?.notices?.() ?? [],
    embedded: bareStore,
    async local() {
      const [bare, server] = await Promise.all([ownStore(), sharing()]);
      return server?.recorded(bare) ?? bare;
    },
    isReplaced() {
      const now = inodeOf(storePath);
      return now !== null && storeInode !== null && now !== storeInode;
    },
    async noticeChanges() {
      if (storeInode !== null && storeInode !== inodeOf(storePath)) await close();
      await embedding.noticeChanges();
    },
    storePath,
    storeExists: () => qdrant !== null || existsSync(storePath),
    localExists: () => existsSync(storePath),
    sharing,
    share: async (options) => {
      const server = await sharing();
      return server === null ? null : server.drain(await ownStore(), options);
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
    async lease(name) {
      const [{ openSqliteLease }, { hostname }] = await Promise.all([
        import('../adapters/sqlite/state/sqlite-lease.ts'),
        import('node:os'),
      ]);
      const { now } = machine;
      return openSqliteLease({ path: statePath, name, pid: process.pid, host: hostname(), now });
    },
    async launcher() {
      if (config.fork.launch === null) return null;
      const { createTerminalLauncher } = await import('../adapters/terminal/launch-terminal.ts');
      return createTerminalLauncher(config.fork.launch, environmentForAgents());
    },
    privacy: once(() => privacyRules(config)),
    archive,
    archives: qdrant === null ? [archive] : [namedArchive(archive, localId), serverArchive(qdrant, sharing)],
    localId,
    noteName: (name, sessionId) => loaded?.noteName(name, sessionId),
    transcripts: createTranscriptFiles(join(config.home, 'tmp')),
    async keeping() {
      const { sources } = parts;
      return { store: await parts.local(), sources, archive, ...config.archive };
    },
    async indexing({ beside } = { beside: false }) {
      const { sources, probe, redactor } = parts;
      const store = await parts.local();
      const inPlace = writeInPlace(store, tokenizer);
      const writer = beside ? await writerBeside(inPlace) : inPlace;
      return {
        store,
        writer: beside ? ((await sharing())?.announced(writer) ?? writer) : writer,
        state: parts.state(),
        sources,
        probe,
        redactor,
        privacy: await parts.privacy(),
        archive,
        forgotten: forgottenHere(await sharing(), parts.state),
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
