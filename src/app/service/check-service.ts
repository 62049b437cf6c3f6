import type { HealthCheck } from '../../domain/server-state.ts';
import { planRemoval, type ServiceDependencies } from './plan-service.ts';

/** Nothing without a service: none is needed. */
export function checkService(deps: ServiceDependencies, exists: (path: string) => boolean): HealthCheck[] {
  const { before, path } = planRemoval(deps);
  if (before === null) return [];
  const gone = goneProgram(deps, exists);
  if (gone === null) return [{ name: 'Service', status: 'ok', message: path }];
  return [
    {
      name: 'Service',
      status: 'fail',
      message: `${path} starts ${gone}, which is gone`,
      fix: 'smart-fork service install',
    },
  ];
}

/** A file that the service runs and that is no longer there. */
export function goneProgram(
  { notes }: Pick<ServiceDependencies, 'notes'>,
  exists: (path: string) => boolean,
): string | null {
  return notes.load()?.programs.find((path) => !exists(path)) ?? null;
}
