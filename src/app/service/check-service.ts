import type { HealthCheck } from '../../domain/server-state.ts';
import { planRemoval, type ServiceDependencies } from './plan-service.ts';

/** Reports nothing without a service, because none is required. */
export function checkService(deps: ServiceDependencies): HealthCheck[] {
  const { before, path } = planRemoval(deps);
  if (before === null) return [];
  const gone = goneProgram(deps);
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
export function goneProgram({ notes, fileExists }: ServiceDependencies): string | null {
  return notes.load()?.programs.find((path) => !fileExists(path)) ?? null;
}
