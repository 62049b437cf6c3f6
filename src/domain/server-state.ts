import type * as z from 'zod';
import type { Problem } from './errors.ts';
import type { check, serverState, sharedArchive } from './json/state.ts';

export type ServerState = z.infer<typeof serverState>;
/** How a collection is distributed over a server's nodes. */
export type ServerLayout = NonNullable<ServerState['layout']>;
/** Size of the server's archive, with the transcripts of all machines; `enabled`: whether this machine sends its own. */
export type SharedArchiveSize = z.infer<typeof sharedArchive>;
/** A check by `doctor`. */
export type HealthCheck = z.infer<typeof check>;

export interface DoctorCheck extends HealthCheck {
  status: Exclude<HealthCheck['status'], 'note'>;
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
