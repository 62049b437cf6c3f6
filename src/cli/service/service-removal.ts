import { changedFile, planRemoval, removeService, type ServicePlan } from '../../app/service/plan-service.ts';
import { hasServices, serviceDependencies } from '../../compose/service/service.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { CommandContext } from '../run-command.ts';

export interface ServiceRemoval {
  plan: ServicePlan;
  /** Why the service is left alone. */
  problem: SmartForkError | null;
  /** Returns the error, or null. */
  apply(): Promise<SmartForkError | null>;
}

/** Null without a service. */
export function serviceRemoval({ config, env }: CommandContext): ServiceRemoval | null {
  if (!hasServices(process.platform)) return null;
  const deps = serviceDependencies(config, env);
  const plan = planRemoval(deps);
  if (plan.before === null) return null;
  return {
    plan,
    problem: plan.isForeign ? changedFile(plan.path) : null,
    async apply() {
      try {
        await removeService(deps, plan, false);
        return null;
      } catch (error) {
        if (error instanceof SmartForkError) return error;
        throw error;
      }
    },
  };
}

/** The `service` of `uninstall --json` (docs/json.md). */
export function serviceRecord(removal: ServiceRemoval, problem: SmartForkError | null, done: boolean) {
  const error = problem === null ? null : { code: problem.code, message: problem.message };
  return { path: removal.plan.path, removed: done && problem === null, error };
}
