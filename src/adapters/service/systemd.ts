import { join } from 'node:path';
import { SERVICE_NAME } from '../../domain/service/service-job.ts';
import { systemdUnit } from '../../domain/service/systemd-unit.ts';
import type { ServiceManager } from '../../ports/service/service-manager.ts';
import { type RunProgram, succeeds } from './run-program.ts';

const UNIT = `${SERVICE_NAME}.service`;

/** @param folder systemd's folder in the user's configuration, for example `~/.config/systemd`. */
export function createSystemd(folder: string, run: RunProgram): ServiceManager {
  const systemctl = (...words: string[]) => run(['--user', ...words]);
  return {
    name: 'systemd',
    path: join(folder, 'user', UNIT),
    log: `journalctl --user -u ${SERVICE_NAME}`,
    text: systemdUnit,
    async start() {
      await systemctl('daemon-reload');
      await systemctl('enable', UNIT);
      await systemctl('restart', UNIT);
    },
    stop: () => systemctl('disable', '--now', UNIT),
    isRegistered: () => succeeds(systemctl('is-enabled', '--quiet', UNIT)),
  };
}
