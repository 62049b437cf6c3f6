import type { ServiceJob } from '../../domain/service/service-job.ts';

/**
 * What starts programs when the user logs in: systemd, launchd, or Windows' Task Scheduler. Knows one service, smart-fork's.
 *
 * - `text` is what the file at `path` should hold; it writes nothing. Throws USAGE for what cannot be written into it.
 * - `start` registers the file at `path` and starts it, again if it runs. Idempotent.
 * - `stop` stops it and ends its registration; the file must still be there. Nothing to stop is no error.
 * - Throws STORE_UNAVAILABLE with the words of the system's own program if that fails.
 */
export interface ServiceManager {
  readonly name: string;
  readonly path: string;
  /** Where the output goes: a command line, or a file. */
  readonly log: string;
  text(job: ServiceJob): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  isRegistered(): Promise<boolean>;
}

/** What `service install` wrote, for `uninstall` and `doctor`. */
export interface InstalledService {
  path: string;
  /** `sha256:` of the text. */
  written: string;
  /** The files it runs. */
  programs: string[];
}

/** Stored in smart-fork's home. A missing or unreadable record is null. */
export interface ServiceNotes {
  load(): InstalledService | null;
  save(service: InstalledService | null): void;
}
