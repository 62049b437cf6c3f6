import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createFileArchive } from '../adapters/archive/file-archive.ts';
import { canEnter } from '../adapters/files/look-at-path.ts';
import { createRepositoryProbe } from '../adapters/git/probe-repository.ts';
import { createErrorLog } from '../adapters/log/error-log.ts';
import { createSearchLog } from '../adapters/log/search-log.ts';
import { createSearchNotes } from '../adapters/notes/search-notes.ts';
import { readSelections } from '../adapters/sqlite/state/read-selections.ts';
import { openSqliteIndexState } from '../adapters/sqlite/state/sqlite-index-state.ts';
import { createContextFiles } from '../adapters/system/context-files.ts';
import { createTimeLimits } from '../adapters/system/time-limits.ts';
import { createTranscriptFiles } from '../adapters/system/transcript-files.ts';
import type { ArchiveDependencies } from '../app/archive/archive-transcripts.ts';
import { chunkingName, readingRules } from '../app/index/chunking-name.ts';
import type { IndexDependencies } from '../app/index/index-transcripts.ts';
import type { PrivacyRules } from '../app/privacy/privacy-rules.ts';
import type { SearchAids } from '../app/search/search-sessions.ts';
import type { DrainOptions, DrainReport } from '../app/share/send/drain-outbox.ts';
import type { Config } from '../config/config.ts';
import { withoutLogin } from '../config/environment.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { Outage } from '../domain/outage.ts';
import { createLexicalTokenizer, type LexicalTokenizer } from '../domain/search/lexical.ts';
import type { Notice } from '../domain/search-result.ts';
import type { Embedding } from '../ports/embedder.ts';
import type { ErrorLog } from '../ports/error-log.ts';
import type { IndexState } from '../ports/index-state.ts';
import type {
  ContextFiles,
  RepositoryProbe,
  SearchNotes,
  ThisMachine,
  TranscriptFiles,
} from '../ports/machine.ts';
import type { LocalStore } from '../ports/outbox.ts';
import type { PointStore, SharedStore } from '../ports/point-store.ts';
import { type SessionWriter, writeInPlace } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ArchiveReader, SessionArchive } from '../ports/session-archive.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { composeSources } from './agents/compose-source.ts';
import { namedArchive, serverArchive } from './archive.ts';
import { composeEmbedding } from './embedding.ts';
import { type LocalFile, openLocalFile } from './local/open-local-file.ts';
import { openMachineLease } from './local/open-machine-lease.ts';
import { forgottenHere, lazyRedactor, privacyRules } from './privacy.ts';
import { openReranker } from './rerank/open-reranker.ts';
import type { Sharing } from './server.ts';

/**
 * The adapters behind the ports, each opened on first use. Use cases take what they need by name: open a store and pass
 * `{ ...parts, store }`.
 */
export interface Parts {
  config: Config;
  machine: ThisMachine;
  sources: TranscriptSource[];
  probe: RepositoryProbe;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  /** Null if logs are off. */
  errors: ErrorLog | null;
  /** Rules that keep sessions and passages out of the index. */
  privacy(): Promise<PrivacyRules>;
  embedding: Embedding;
  searchAids: SearchAids;
  /** For reading: the local sessions and, with a server, the server's. */
  store(): Promise<PointStore>;
  /** Whether there may be sessions, here or on a server. Ask this first: opening the local store creates it. */
  storeExists(): boolean;
  /** Messages for the user about where the answers so far came from. */
  notices(): Notice[];
  /** Why the answers so far lack something; null if they do not. Whoever asks tells the user. */
  outage(): Outage | null;
  /**
   * That transcripts on this machine are not indexed yet; null if all are, but for those of the `running` sessions.
   * @param again also if an earlier version read them
   */
  unindexed(running: string[], again?: boolean): Promise<Notice | null>;
  /** This machine's store, for indexing and embedding. Changes are sent to the server later. */
  local(): Promise<LocalStore>;
  /** The file of the `local` store. */
  localFile: LocalFile;
  /** The connection to the server; null without one. */
  sharing(): Promise<Sharing | null>;
  /** This machine's own records: cursors, forgotten sessions and so on. */
  state(): IndexState;
  /** Null if there are none: a reader must neither create their file nor fill an emptied one. */
  stateIfAny(): IndexState | null;
  /** Ids of sessions forgotten on this machine. */
  forgotten(): Promise<Set<string>>;
  /** Transcripts archived on this machine. */
  archive: SessionArchive;
  /** All archives from which transcripts can be restored, nearest first. */
  archives: ArchiveReader[];
  transcripts: TranscriptFiles;
  contexts: ContextFiles;
  searchNotes: SearchNotes;
  /** Maps a session's id in `store` to its id in this machine's files; empty if another session has that id here. */
  localId(sessionId: string): string;
  /** `inThread` writes in a separate thread. The caller closes the `writer`. */
  indexing(options?: { inThread: boolean }): Promise<IndexDependencies>;
  /**
   * For long-running processes: picks up a store file replaced by `reindex`, and a newly installed model. Call it only while neither is
   * in use.
   */
  noticeChanges(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The only place that connects ports to their adapters.
 * @param onlyPresent for what reads no transcripts: see `composeSources`
 */
export async function compose(config: Config, { onlyPresent = false } = {}): Promise<Parts> {
  const { qdrant, home } = config;
  const statePath = join(home, 'state.db');
  const machine = thisMachine(config);
  const tokenizer = createLexicalTokenizer();
  const redactor = lazyRedactor(config);
  const sources = await composeSources(config, machine.shell, onlyPresent);
  const probe = createRepositoryProbe();
  const privacy = once(() => privacyRules(config));
  let state: IndexState | null = null;
  const openState = () => {
    state ??= openSqliteIndexState(statePath);
    return state;
  };
  const stateIfAny = () =>
    (statSync(statePath, { throwIfNoEntry: false })?.size ?? 0) > 0 ? openState() : null;
  const searchNotes = createSearchNotes(join(home, 'searches.json'));
  const embedding = composeEmbedding(config, redactor, searchNotes);
  const { model } = embedding;
  const reranker = openReranker(config);
  const file = openLocalFile(join(home, 'index.db'), model);
  const ownStore = async () => embedding.local(await file.open());
  const openLease = () => openMachineLease(home, 'archive');
  const archive = createFileArchive({ folder: join(home, 'archive'), openLease });
  const transcripts = createTranscriptFiles(join(home, 'tmp'));
  const contexts = createContextFiles(join(home, 'context'), machine.now);
  let shared: Promise<Sharing> | null = null;
  let loaded: Sharing | null = null;
  let both: SharedStore | null = null;
  /** Loads nothing without a server. */
  const sharing = async () => {
    if (qdrant === null) return null;
    shared ??= import('./server.ts').then(({ composeSharing }) =>
      composeSharing({
        qdrant,
        encryption: config.encryption,
        home,
        machine,
        tokenizer,
        redactor,
        model,
        service: embedding.service,
        transcripts: async () =>
          config.archive.remote ? { sources, redactor, kept: archive, rules: (await privacy()).name } : null,
        notes: openState,
        removeArchived: (ids) => archive.remove(ids),
        searchNotes,
      }),
    );
    loaded = await shared;
    return loaded;
  };
  // Ids from a server come from a store that has already loaded `sharing`.
  const localId = (sessionId: string) => loaded?.localId()(sessionId) ?? sessionId;
  const close = async () => {
    await embedding.close();
    await reranker?.close();
    await file.close();
    await (await shared)?.close();
    both = null;
    state?.close();
    state = null;
    archive.close();
  };
  return {
    config,
    machine,
    sources,
    probe,
    tokenizer,
    redactor,
    errors: errorLog(config, redactor),
    privacy,
    embedding,
    searchAids: {
      times,
      formula: config.search.formula,
      log: config.logs ? createSearchLog(join(home, 'logs', 'search.log')) : null,
      selections: () => (config.search.learnFromForks ? readSelections(statePath) : []),
      reranker,
    },
    async store() {
      const [store, server] = await Promise.all([ownStore(), sharing()]);
      if (server === null) return store;
      both ??= server.both(store);
      return both;
    },
    storeExists: () => qdrant !== null || file.exists(),
    notices: () => [...(both?.notices() ?? []), ...file.notices()],
    outage: () => both?.outage() ?? null,
    async unindexed(running, again = false) {
      const { findUnindexed } = await import('./local/find-unindexed.ts');
      const rules = again ? readingRules(await model(), await privacy()) : undefined;
      const known = file.exists() ? stateIfAny() : null;
      const notes = known && { state: known, forgotten: forgottenHere(await sharing(), openState)() };
      return findUnindexed({ sources, file, notes }, running, rules);
    },
    local: ownStore,
    localFile: {
      ...file,
      async open() {
        const store = await file.open();
        return { ...store, ...store.received };
      },
      async drop() {
        await close();
        const { dropIndex } = await import('../adapters/sqlite/outbox/drop-index.ts');
        dropIndex(file.path);
        openState().forgetAll();
      },
    },
    sharing,
    state: openState,
    stateIfAny,
    forgotten: async () => (stateIfAny() === null ? new Set() : forgottenHere(await sharing(), openState)()),
    archive,
    transcripts,
    contexts,
    searchNotes,
    localId,
    archives: qdrant === null ? [archive] : [namedArchive(archive, localId), serverArchive(qdrant, sharing)],
    async indexing({ inThread } = { inThread: false }) {
      const [store, server] = [await ownStore(), await sharing()];
      const inPlace = writeInPlace(store, tokenizer);
      const writer = inThread ? await threadWriter(inPlace, file.path, tokenizer, await model()) : inPlace;
      return {
        store,
        sources,
        probe,
        redactor,
        startLimit: createTimeLimits(),
        archive,
        contexts,
        transcripts,
        writer,
        state: openState(),
        privacy: await privacy(),
        forgotten: forgottenHere(server, openState),
        model: await model(),
        machine: machine.name,
        now: machine.now,
      };
    },
    async noticeChanges() {
      if (!file.exists() || (await file.isReplaced())) await close();
      await embedding.noticeChanges();
    },
    close,
  };
}

/** Null if logs are off. */
export function errorLog(config: Config, redactor = lazyRedactor(config)): ErrorLog | null {
  return config.logs ? createErrorLog(join(config.home, 'logs', 'errors.log'), redactor) : null;
}

/** Sends pending changes to the server; null without one, or while another process is sending. */
export async function sendChanges(
  parts: Pick<Parts, 'sharing' | 'local'>,
  options?: DrainOptions,
): Promise<DrainReport | null> {
  const server = await parts.sharing();
  return server === null ? null : server.drain(await parts.local(), options);
}

/** Loads chrono-node only for a query that may name a time. */
const times: SearchAids['times'] = async (text, now) =>
  (await import('../adapters/chrono/find-times.ts')).findTimes(text, now);

export async function archiveDependencies(parts: Parts): Promise<ArchiveDependencies> {
  return { ...parts, ...parts.config.archive, store: await parts.local() };
}

/** Where the sessions are stored, for display. */
export function storePlace({ qdrant, home }: Config): { kind: string; location: string } {
  return qdrant === null
    ? { kind: 'sqlite', location: join(home, 'index.db') }
    : { kind: 'qdrant', location: `${withoutLogin(qdrant.url)}, ${qdrant.collection}` };
}

function thisMachine({ machine, shell }: Config): ThisMachine {
  return {
    name: machine,
    platform: process.platform,
    shell,
    now: () => Date.now(),
    directoryExists: canEnter,
  };
}

async function threadWriter(
  inPlace: SessionWriter,
  path: string,
  tokenizer: LexicalTokenizer,
  model: ModelRecord,
): Promise<SessionWriter> {
  const { createThreadWriter } = await import('../adapters/sqlite/thread/thread-writer.ts');
  return createThreadWriter({ inPlace, tokenizer, path, chunking: chunkingName(model) });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
