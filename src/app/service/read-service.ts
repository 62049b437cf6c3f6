import { goneProgram } from './check-service.ts';
import { planRemoval, type ServiceDependencies } from './plan-service.ts';

export interface ServiceStatus {
  manager: string;
  path: string;
  /** `changed`: the file exists but is not as smart-fork wrote it. */
  state: 'absent' | 'installed' | 'changed';
  /** Whether the system knows it and will start it at the next login. */
  registered: boolean;
  /** A file that it runs but that no longer exists. */
  gone: string | null;
  /** The server running on this machine, whether started by the service or by hand. */
  running: { url: string; pid: number; since: string } | null;
  /** Where to read its output: a command line or a file. */
  log: string;
}

export async function readService(
  deps: ServiceDependencies,
  findServer: () => Promise<{ url: string; pid: number; since: string } | null>,
): Promise<ServiceStatus> {
  const { manager } = deps;
  const { before, isForeign } = planRemoval(deps);
  const server = await findServer();
  return {
    manager: manager.name,
    path: manager.path,
    state: before === null ? 'absent' : isForeign ? 'changed' : 'installed',
    registered: before !== null && (await manager.isRegistered()),
    gone: before === null ? null : goneProgram(deps),
    running: server === null ? null : { url: server.url, pid: server.pid, since: server.since },
    log: manager.log,
  };
}
