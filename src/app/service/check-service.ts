import type { HealthCheck } from '../../domain/server-state.ts';
import { planRemoval, type ServiceDependencies } from './plan-service.ts';

/** Reports nothing without a service, because none is required. */
export function checkService(deps: ServiceDependencies, exists: (path: string) => boolean): HealthCheck[] {
  const { before, path } = planRemoval(deps);
  if (before === null) return [];
  const gone = goneProgram(deps, exists);
  if (gone === null) return [{ name: 'Service', status: 'ok', message: path }];
  return [
    {
      name: 'Service',
      status: 'fail',
      message: `${path} starts ${gone}, which is missing`,
      fix: 'smart-fork service install',
    },
  ];
}

/** A file that the service runs but that no longer exists. */
export function goneProgram(
  { notes }: Pick<ServiceDependencies, 'notes'>,
  exists: (path: string) => boolean,
): string | null {
  return notes.load()?.programs.find((path) => !exists(path)) ?? null;
}
