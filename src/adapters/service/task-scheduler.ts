import { dirname, join } from 'node:path';
import { scheduledTask } from '../../domain/service/scheduled-task.ts';
import { SERVICE_NAME } from '../../domain/service/service-job.ts';
import type { ServiceManager } from '../../ports/service/service-manager.ts';
import { makeFolder } from '../system/make-folder.ts';
import { type RunProgram, succeeds } from './run-program.ts';

/**
 * @param folder smart-fork's home, where the task's definition is stored
 * @param system for example `C:\Windows\System32`
 */
export function createTaskScheduler(
  { folder, log, system }: { folder: string; log: string; system: string },
  run: RunProgram,
): ServiceManager {
  const path = join(folder, 'service.xml');
  const isRegistered = () => succeeds(run(['/query', '/tn', SERVICE_NAME]));
  return {
    name: 'Task Scheduler',
    path,
    log,
    isRegistered,
    text: (job) => scheduledTask(job, system),
    async start() {
      makeFolder(dirname(log));
      await succeeds(run(['/end', '/tn', SERVICE_NAME]));
      await run(['/create', '/tn', SERVICE_NAME, '/xml', path, '/f']);
      await run(['/run', '/tn', SERVICE_NAME]);
    },
    async stop() {
      if (!(await isRegistered())) return;
      await succeeds(run(['/end', '/tn', SERVICE_NAME]));
      await run(['/delete', '/tn', SERVICE_NAME, '/f']);
    },
  };
}
