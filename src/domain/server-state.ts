import type { Problem } from './errors.ts';

/** The shared server, and what has not been sent to it yet. */
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
  /** The collection belongs to the Python program, so nothing is sent to it. */
  read_only: boolean;
  /** The collection does not exist yet; the first machine to send creates it. */
  missing: boolean;
  outbox: {
    /** Number of sessions waiting to be sent. */
    waiting: number;
    /** How many of them the server refused. */
    failing: number;
    since: string | null;
    next_try: string | null;
  };
  /** Why the server does not answer, or is not accepting anything. */
  problem: Problem | null;
  /** A server's own embedding; null if machines embed, or if the server did not answer. */
  embedding: {
    model: string;
    /** Points not embedded yet. */
    waiting: { intents: number; chunks: number };
    /** Why its service last refused. */
    problem: Problem | null;
  } | null;
}

/** How a collection is distributed over a server's nodes. */
export interface ServerLayout {
  shards: number;
  /** Number of copies of each shard. */
  replicas: number;
  /** Numbers of the shards without a reachable copy. */
  unavailable: number[];
}

/** Size of the server's archive, with the transcripts of all machines. */
export interface SharedArchiveSize {
  /** Whether this machine sends its transcripts. */
  enabled: boolean;
  sessions: number;
  /** Uncompressed. */
  bytes: number;
  /** As stored on the server. */
  stored_bytes: number;
}

export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  fix?: string;
}

/** A check by `doctor`. `note`: nothing is wrong, but the user may want to change something. */
export interface HealthCheck extends Omit<DoctorCheck, 'status'> {
  status: DoctorCheck['status'] | 'note';
}

/** A check that found a problem. */
export function checkOf(
  name: string,
  status: DoctorCheck['status'],
  { message, hint }: Problem,
): DoctorCheck {
  return { name, status, message, fix: hint ?? undefined };
}

export interface ServerSummary {
  /** Number of sessions sent. */
  sent: number;
  waiting: number;
  /** Whether another process is sending. */
  busy: boolean;
  /** Why something was not sent. */
  problems: Problem[];
}
