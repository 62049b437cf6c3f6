import { join } from 'node:path';
import { openServerArchive, type ServerArchive } from '../adapters/archive/server-archive.ts';
import { openSqliteOutbox } from '../adapters/sqlite/outbox/sqlite-outbox.ts';
import { sharedArchiveSize } from '../app/archive/archive-size.ts';
import { localIds } from '../app/share/agree/local-ids.ts';
import { readBoth } from '../app/share/ask/read-both.ts';
import { readServerState } from '../app/share/ask/server-state.ts';
import { rememberRefusals } from '../app/share/embed/remember-refusals.ts';
import {
  type DrainOptions,
  type DrainReport,
  drainOutbox,
  type Handshake,
} from '../app/share/send/drain-outbox.ts';
import { isPaused } from '../app/share/send/is-paused.ts';
import { prepareTranscript, type TranscriptDependencies } from '../app/share/send/prepare-transcript.ts';
import type { SendDependencies } from '../app/share/send/send-dependencies.ts';
import type { QdrantConfig } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { withoutLogin } from '../config/environment.ts';
import { type Problem, problemOf, SmartForkError } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { LexicalTokenizer } from '../domain/search/lexical.ts';
import type { ServerState, SharedArchiveSize } from '../domain/server-state.ts';
import type { ForgottenSessions } from '../ports/index-state.ts';
import { withLease } from '../ports/lease.ts';
import type { SearchNotes, ThisMachine } from '../ports/machine.ts';
import type { LocalStore, Outbox } from '../ports/outbox.ts';
import type { SharedStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { LegacyCollection, RemoteStore } from '../ports/remote-store.ts';
import type { ArchiveReader } from '../ports/session-archive.ts';
import { openMachineLease } from './local/open-machine-lease.ts';
import { FOR_READING, FOR_SENDING, forSearching, openRemote, requireCollection } from './open-remote.ts';

/** A machine's connection to the shared server. */
export interface Sharing {
  outbox(): Outbox;
  /** Maps a session's id on the server to its id on this machine; empty for another machine's session. */
  localId(): (sessionId: string) => string;
  /** Gives a session on the server another id on this machine. */
  noteName(name: string, sessionId: string): void;
  /** The server's store, with long timeouts. */
  remote(): Promise<RemoteStore>;
  /** The same for reading. Never creates the collection. */
  source(): Promise<RemoteStore>;
  /**
   * Another collection on the same server, for reading.
   * @throws SmartForkError USAGE if it does not exist.
   */
  collection(name: string): Promise<RemoteStore>;
  /** The collection if the Python smart-fork created it, else null. */
  legacyCollection(name: string): Promise<LegacyCollection | null>;
  /** Both stores, for reading. */
  both(local: LocalStore): SharedStore;
  /** Whether to contact the server now: changes are due, or this process has not done a handshake yet. */
  isDue(withDeferred: boolean): boolean;
  /** See OutboxCounts. */
  deferredUntil(): number | null;
  /** Sends the outbox; null while another process is sending. */
  drain(local: LocalStore, options?: DrainOptions): Promise<DrainReport | null>;
  /** The transcripts on the server. `find` has short timeouts. */
  archive: ServerArchive;
  /** The size of the transcripts on the server; null if it does not answer. */
  archiveSize(): Promise<SharedArchiveSize | null>;
  /** Why the server's embedding service last refused; null if it did not. Sends no request. */
  notEmbedded(): Problem | null;
  /** The state of the server, with short timeouts. */
  state(): Promise<ServerState>;
  /** Aborts the requests of a running drain. */
  abort(): void;
  close(): Promise<void>;
}

interface SharingSettings {
  qdrant: QdrantConfig;
  /** Whether data is encrypted before it is sent. */
  encryption: boolean;
  /** smart-fork's own folder. */
  home: string;
  machine: ThisMachine;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  model(): Promise<ModelRecord>;
  /** The server's embedding service; null if the machines embed. */
  service: EmbeddingService | null;
  /** Null if transcripts are not sent. */
  transcripts(): Promise<Omit<TranscriptDependencies, 'archive'> | null>;
  notes(): ForgottenSessions;
  /** Removes sessions from this machine's archive. */
  removeArchived(sessionIds: string[]): Promise<unknown>;
  searchNotes: SearchNotes;
}

export function composeSharing(settings: SharingSettings): Sharing {
  const { home, machine, tokenizer } = settings;
  const handshake: Handshake = { at: null };
  let outbox: Outbox | null = null;
  const theOutbox = () => {
    outbox ??= openSqliteOutbox({ path: join(home, 'index.db'), now: machine.now });
    return outbox;
  };
  const refusals = rememberRefusals(theOutbox, machine.now);
  const opening = { ...settings, refusals };
  const sending = keptOpen(() => openRemote(opening, FOR_SENDING));
  const searching = keptOpen(() => openRemote(opening, forSearching(settings.qdrant)));
  const reading = keptOpen(() => openRemote(opening, FOR_READING));
  const { open: remote } = sending;
  const { open: quick } = searching;
  const { open: source } = reading;
  const sendingTo = openServerArchive(remote);
  const readFrom = openServerArchive(source);
  return {
    outbox: theOutbox,
    localId: () => localIds({ outbox: theOutbox() }),
    noteName: (name, remoteId) => theOutbox().done([], [{ sessionId: name, remoteId, contentHash: '' }]),
    remote,
    source,
    archive: unlessMissing({ ...openServerArchive(quick), read: readFrom.read }),
    async collection(name) {
      const qdrant = { ...settings.qdrant, collection: name };
      return requireCollection(name, await openRemote({ ...opening, qdrant }, FOR_READING));
    },
    async legacyCollection(name) {
      // Fails here, for example without a key, before anything is sent.
      await source();
      const { readLegacyCollection } = await import('../adapters/qdrant/collection/legacy-collection.ts');
      return readLegacyCollection({ ...settings.qdrant, collection: name, ...FOR_SENDING });
    },
    both: (bare) =>
      readBoth({
        bare,
        remote: quick,
        outbox: theOutbox(),
        machine: machine.name,
        timeoutMs: settings.qdrant.timeoutMs,
        now: machine.now,
      }),
    deferredUntil: () => theOutbox().counts().deferredUntil,
    isDue(withDeferred) {
      const { pause } = theOutbox().server.notes();
      if (isPaused(pause, machine.now())) return false;
      if (handshake.at === null || theOutbox().due(1).length > 0) return true;
      return withDeferred && theOutbox().counts().deferredUntil !== null;
    },
    async drain(local, options) {
      const server = await remote().catch((error: unknown) => {
        if (error instanceof SmartForkError) return error;
        throw error;
      });
      if (server instanceof SmartForkError) return notOpened(server, theOutbox());
      if (options?.now === true) refusals.forget();
      const deps: SendDependencies = {
        outbox: theOutbox(),
        local,
        remote: server,
        tokenizer,
        machine: machine.name,
        now: machine.now,
        notes: settings.notes(),
        removeArchived: settings.removeArchived,
        ...(await transcriptSending(settings, sendingTo)),
      };
      // One process of a machine sends at a time.
      const lease = await openMachineLease(home, 'outbox');
      try {
        return await withLease(lease, options?.signal ? { signal: options.signal } : {}, ({ signal }) =>
          drainOutbox(deps, handshake, { ...options, signal }),
        );
      } finally {
        lease.close();
      }
    },
    archiveSize: async () => sharedArchiveSize(readFrom, (await settings.transcripts()) !== null),
    notEmbedded: refusals.last,
    state: () => {
      const { url, collection } = settings.qdrant;
      const place = { remote: quick, address: withoutLogin(url), collection };
      return readServerState({ ...place, outbox: theOutbox(), notEmbedded: refusals.last });
    },
    abort: () => void sending.close(),
    async close() {
      for (const kept of [sending, searching, reading]) await kept.close();
      outbox?.close();
      outbox = null;
    },
  };
}

/** A store that is opened when it is first needed, and again after it was closed. */
function keptOpen(openStore: () => Promise<RemoteStore>) {
  let store: RemoteStore | null = null;
  return {
    async open(): Promise<RemoteStore> {
      const opened = store ?? (await openStore());
      store ??= opened;
      return store;
    },
    async close() {
      const closing = store?.close();
      store = null;
      await closing;
    },
  };
}

async function transcriptSending(
  { transcripts }: SharingSettings,
  archive: ServerArchive,
): Promise<Pick<SendDependencies, 'prepareTranscript'>> {
  const sending = await transcripts();
  if (sending === null) return {};
  return {
    prepareTranscript: (...transcript) => prepareTranscript({ ...sending, archive }, ...transcript),
  };
}

function notOpened(error: SmartForkError, outbox: Outbox): DrainReport {
  const { waiting } = outbox.counts();
  return { sent: 0, waiting, problem: problemOf(error), vectorsRefused: null };
}

/** A collection that does not exist yet, or is not ours, contains no transcripts. */
function unlessMissing<A extends Pick<ArchiveReader, 'find' | 'findByPrefix'>>(archive: A): A {
  const orNone = async <T>(answer: Promise<T>, none: T): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      if (error.code === 'COLLECTION_MISSING' || error.code === 'LEGACY_COLLECTION') return none;
      throw error;
    }
  };
  return {
    ...archive,
    find: (sessionId: string) => orNone(archive.find(sessionId), null),
    findByPrefix: (prefix: string, limit: number) => orNone(archive.findByPrefix(prefix, limit), []),
  };
}
