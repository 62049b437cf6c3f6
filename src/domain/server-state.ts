/** The server that this machine shares with others, and what waits to be sent to it. */
export interface ServerState {
  address: string;
  collection: string;
  /** Null when the server did not answer, or does not say. */
  version: string | null;
  sessions: number | null;
  /** An estimate: the server does not tell. */
  bytes: number | null;
  /** The collection is the Python program's: it is read as it is. */
  read_only: boolean;
  /** The collection is not there yet: who sends first makes it. */
  missing: boolean;
  outbox: {
    /** Sessions. */
    waiting: number;
    /** Of those, the ones that the server would not take by themselves. */
    failing: number;
    since: string | null;
    next_try: string | null;
  };
  /** Why the server could not be asked, or takes nothing at the moment. */
  problem: { message: string; hint: string | null } | null;
  /** What of a server that embeds by itself is known; null where machines do, or when it did not answer. */
  embedding: {
    model: string;
    /** Points without a vector. */
    waiting: { intents: number; chunks: number };
    /** Why its service refused, the last time it was asked. */
    problem: { message: string; hint: string | null } | null;
  } | null;
}

/** What is kept of transcripts on the server, of all machines. */
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

export interface ServerSummary {
  /** Sessions. */
  sent: number;
  waiting: number;
  /** Another process is sending. */
  busy: boolean;
  /** Why something waits, or is not taken. */
  problems: { message: string; hint: string | null }[];
}
