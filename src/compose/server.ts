import { hostname } from 'node:os';
import { join } from 'node:path';
import { openServerArchive, type ServerArchive } from '../adapters/archive/server-archive.ts';
import { openSqliteLease } from '../adapters/sqlite/state/sqlite-lease.ts';
import { openSqliteOutbox } from '../adapters/sqlite/state/sqlite-outbox.ts';
import { sharedArchiveSize } from '../app/archive/archive-size.ts';
import { localIds } from '../app/share/agree/local-ids.ts';
import { rememberRefusals } from '../app/share/embed/remember-refusals.ts';
import { readBoth } from '../app/share/read/read-both.ts';
import { readServerState } from '../app/share/read/server-state.ts';
import {
  type Acquaintance,
  type DrainOptions,
  type DrainReport,
  drainOutbox,
} from '../app/share/send/drain-outbox.ts';
import { prepareTranscript, type TranscriptDependencies } from '../app/share/send/prepare-transcript.ts';
import { announceWrites, recordChanges } from '../app/share/send/record-changes.ts';
import type { SendDependencies } from '../app/share/send/send-dependencies.ts';
import type { QdrantConfig } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { withoutLogin } from '../config/environment.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { ServerState, SharedArchiveSize } from '../domain/result.ts';
import type { LexicalTokenizer } from '../domain/search/lexical.ts';
import type { Refusal } from '../ports/embedder.ts';
import type { ForgottenSessions } from '../ports/index-state.ts';
import { RENEW_EVERY_MS } from '../ports/lease.ts';
import type { LegacyCollection } from '../ports/legacy-collection.ts';
import type { ThisMachine } from '../ports/machine.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { RemoteStore } from '../ports/remote-store.ts';
import type { ArchiveReader } from '../ports/session-archive.ts';
import type { SessionWriter } from '../ports/session-writer.ts';
import { existing, impatient, memoryIn, openRemote, PATIENT, PATIENT_READER } from './open-remote.ts';

/** What there is when this machine shares a server with others. */
export interface Sharing {
  outbox(): Outbox;
  /** What a session is called on this machine; empty when it is another machine's. */
  localId(): (sessionId: string) => string;
  /** A session of the server is called so on this machine from now on. */
  noteName(name: string, sessionId: string): void;
  /** The server's store, for who has time. */
  remote(): Promise<RemoteStore>;
  /** The same for who only reads: no collection is made. */
  source(): Promise<RemoteStore>;
  /**
   * Another collection of the same server, for reading.
   * @throws SmartForkError USAGE when it does not exist.
   */
  collection(name: string): Promise<RemoteStore>;
  /** The collection, if the Python smart-fork made it; else null. */
  legacyCollection(name: string): Promise<LegacyCollection | null>;
  /** The local store for who writes: what changes is sent later. */
  recorded(local: PointStore): PointStore;
  /** A writer into the local store that goes past it, announced all the same. */
  announced(writer: SessionWriter): SessionWriter;
  /** Both stores for who reads. */
  both(local: PointStore): PointStore;
  /** Whether something waits that may be sent now, put off or not, or nobody has asked the server yet what is new there. */
  isDue(putOffToo: boolean): boolean;
  /** See Outbox. */
  quietUntil(): number | null;
  /** Sends what waits; null when another process is at it. */
  drain(local: PointStore, options?: DrainOptions): Promise<DrainReport | null>;
  /** The transcripts on the server, for who waits: that there is none is said soon. */
  archive: ServerArchive;
  /** How much of transcripts is on the server; null when it does not answer. */
  archiveSize(): Promise<SharedArchiveSize | null>;
  /** What a server that embeds by itself last said against it, without asking it. */
  notEmbedded(): Refusal | null;
  /** How it stands with the server, asked impatiently. */
  state(): Promise<ServerState>;
  /** Whether words of sessions that grew are to be counted anew, `soon` or when it is time. */
  areWordsStale(soon: boolean): boolean;
  /** Counts them. */
  countWords(signal?: AbortSignal): Promise<void>;
  /** Ends the requests of a drain that is under way. */
  abort(): void;
  close(): Promise<void>;
}

export interface SharingSettings {
  qdrant: QdrantConfig;
  /** Whether what is sent is sealed before. */
  encryption: boolean;
  /** smart-fork's own folder. */
  home: string;
  machine: ThisMachine;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  model(): Promise<ModelRecord>;
  /** The server embeds by itself; null: vectors come from machines. */
  service: EmbeddingService | null;
  /** What transcripts are sent with; null: none is. */
  transcripts(): Promise<Omit<TranscriptDependencies, 'archive'> | null>;
  notes(): ForgottenSessions;
  /** Of this machine's archive. */
  removeKept(sessionIds: string[]): Promise<unknown>;
}

/** Counting a session's words costs as much as the session is long: not after each turn of it. */
const COUNT_EVERY_MS = 300_000;

export function composeSharing(settings: SharingSettings): Sharing {
  const { home, machine, tokenizer } = settings;
  const path = join(home, 'state.db');
  const acquaintance: Acquaintance = { greetedAt: null };
  let outbox: Outbox | null = null;
  let patient: RemoteStore | null = null;
  let hurried: RemoteStore | null = null;
  let reader: RemoteStore | null = null;
  const theOutbox = () => {
    outbox ??= openSqliteOutbox({ path, pid: process.pid, now: machine.now });
    return outbox;
  };
  const refusals = rememberRefusals(theOutbox, machine.now);
  const opening = { ...settings, refusals };
  const remote = async () => {
    const opened = patient ?? (await openRemote(opening, PATIENT, memoryIn(theOutbox(), machine.now)));
    patient ??= opened;
    return patient;
  };
  const quick = async () => {
    const opened = hurried ?? (await openRemote(opening, impatient(settings.qdrant)));
    hurried ??= opened;
    return hurried;
  };
  const source = async () => {
    const opened = reader ?? (await openRemote(opening, PATIENT_READER, memoryIn(theOutbox(), machine.now)));
    reader ??= opened;
    return reader;
  };
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
      return existing(name, await openRemote({ ...opening, qdrant }, PATIENT_READER));
    },
    async legacyCollection(name) {
      const { readLegacyCollection } = await import('../adapters/qdrant/collection/legacy-collection.ts');
      return readLegacyCollection({ ...settings.qdrant, collection: name, ...PATIENT });
    },
    recorded: (local) => recordChanges(local, theOutbox()),
    announced: (writer) => announceWrites(writer, theOutbox()),
    both: (bare) =>
      readBoth({
        bare,
        remote: quick,
        outbox: theOutbox(),
        machine: machine.name,
        timeoutMs: settings.qdrant.timeoutMs,
        now: machine.now,
      }),
    quietUntil: () => theOutbox().quietUntil(),
    isDue(putOffToo) {
      const pause = theOutbox().pause();
      if (pause !== null && pause.until > machine.now()) return false;
      if (acquaintance.greetedAt === null || theOutbox().due(1).length > 0) return true;
      return putOffToo && theOutbox().quietUntil() !== null;
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
        removeKept: settings.removeKept,
        ...(await transcriptSending(settings, sendingTo)),
      };
      return alone(path, machine.now, () => drainOutbox(deps, acquaintance, options));
    },
    archiveSize: async () => sharedArchiveSize(readFrom, (await settings.transcripts()) !== null),
    notEmbedded: refusals.last,
    state: () => {
      const { url, collection } = settings.qdrant;
      const place = { remote: quick, address: withoutLogin(url), collection };
      return readServerState({ ...place, outbox: theOutbox(), notEmbedded: refusals.last });
    },
    areWordsStale(soon) {
      const { stale, rightAt } = theOutbox().words();
      return stale && (soon || Math.abs(machine.now() - rightAt) >= COUNT_EVERY_MS);
    },
    async countWords(signal) {
      await (await remote()).refresh(signal);
      if (signal?.aborted !== true) theOutbox().noteWords(false);
    },
    abort() {
      void patient?.close();
      patient = null;
    },
    async close() {
      await patient?.close();
      await hurried?.close();
      await reader?.close();
      outbox?.close();
      patient = null;
      hurried = null;
      reader = null;
      outbox = null;
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

function notOpened({ message, hint }: SmartForkError, outbox: Outbox): DrainReport {
  const { waiting } = outbox.counts();
  return { sent: 0, waiting, problem: { message, hint: hint ?? null }, vectorsRefused: null };
}

/** One process of a machine sends at a time; null when another one does. */
async function alone<T>(path: string, now: () => number, work: () => Promise<T>): Promise<T | null> {
  const lease = openSqliteLease({ path, name: 'outbox', pid: process.pid, host: hostname(), now });
  try {
    if (!lease.acquire()) return null;
    const timer = setInterval(() => lease.renew(), RENEW_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      lease.release();
    }
  } finally {
    lease.close();
  }
}

/** A collection that does not exist yet, or is not ours, holds no transcripts. */
function unlessMissing<A extends Pick<ArchiveReader, 'find' | 'findByPrefix'>>(archive: A): A {
  const orNone = async <T>(asked: Promise<T>, none: T): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      if (error.code === 'COLLECTION_MISSING' || error.code === 'STORE_INCOMPATIBLE') return none;
      throw error;
    }
  };
  return {
    ...archive,
    find: (sessionId: string) => orNone(archive.find(sessionId), null),
    findByPrefix: (prefix: string, limit: number) => orNone(archive.findByPrefix(prefix, limit), []),
  };
}
