import type { Problem } from './errors.ts';

/** The server shared with other machines, and what is still to be sent to it. */
export interface ServerState {
  address: string;
  collection: string;
  /** Null if the server did not answer, or does not report it. */
  version: string | null;
  /** Null if the collection has one shard with one copy, or the server did not answer. */
  layout: ServerLayout | null;
  sessions: number | null;
  /** An estimate: the server does not report it. */
  bytes: number | null;
  /** The collection is the Python program's: nothing is sent to it. */
  read_only: boolean;
  /** The collection does not exist yet: the first machine to send creates it. */
  missing: boolean;
  outbox: {
    /** Sessions. */
    waiting: number;
    /** Of those, the ones the server refused. */
    failing: number;
    since: string | null;
    next_try: string | null;
  };
  /** Why the server does not answer, or accepts nothing at the moment. */
  problem: Problem | null;
  /** Of a server that embeds; null if machines do, or if it did not answer. */
  embedding: {
    model: string;
    /** Points not embedded yet. */
    waiting: { intents: number; chunks: number };
    /** Why its service last refused. */
    problem: Problem | null;
  } | null;
}

/** How a collection is spread over a server's nodes. */
export interface ServerLayout {
  shards: number;
  /** Copies of each shard. */
  replicas: number;
  /** Numbers of the shards of which no copy answers. */
  unavailable: number[];
}

/** Transcripts archived on the server, of all machines. */
export interface SharedArchiveSize {
  /** Whether this machine sends its own. */
  enabled: boolean;
  sessions: number;
  /** Of the transcripts. */
  bytes: number;
  /** On the server. */
  stored_bytes: number;
}

export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  fix?: string;
}

/** A check of the installation. `note`: nothing is wrong, but the user may want to change it. */
export interface HealthCheck extends Omit<DoctorCheck, 'status'> {
  status: DoctorCheck['status'] | 'note';
}

/** A check that found a problem. */
export function checkOf(
  name: string,
  status: DoctorCheck['status'],
  { message, hint }: Problem,
): DoctorCheck {
  return { name, status, message, ...(hint !== null && { fix: hint }) };
}

export interface ServerSummary {
  /** Sessions. */
  sent: number;
  waiting: number;
  /** Another process is sending. */
  busy: boolean;
  /** Why something was not sent. */
  problems: Problem[];
}
