import type { ServiceJob } from '../../domain/service/service-job.ts';

/**
 * The system's own way to start programs at login: systemd, launchd or the Windows Task Scheduler. Manages one service, smart-fork's.
 *
 * - `text` returns the expected content of the file at `path` and writes nothing. Throws USAGE for values that it cannot contain.
 * - `start` registers the file at `path` and starts the service, or restarts it. Idempotent.
 * - `stop` stops the service and unregisters it; the file must still exist. Does nothing if there is nothing to stop.
 * - Throws STORE_UNAVAILABLE with the message of the system's program if that fails.
 */
export interface ServiceManager {
  readonly name: string;
  readonly path: string;
  /** Where to read the output: a command line or a file. */
  readonly log: string;
  text(job: ServiceJob): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  isRegistered(): Promise<boolean>;
}

/** What `service install` wrote; read by `uninstall` and `doctor`. */
interface InstalledService {
  path: string;
  /** `sha256:` and the hex digest of the text. */
  written: string;
  /** Paths of the programs it runs. */
  programs: string[];
}

/** Stored in smart-fork's home. A missing or unreadable record is null. */
export interface ServiceNotes {
  load(): InstalledService | null;
  save(service: InstalledService | null): void;
}
