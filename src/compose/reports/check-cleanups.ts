import { sep } from 'node:path';
import { readShelf } from '../../app/archive/archive-shelf.ts';
import { withoutDuplicates } from '../../app/sessions/without-duplicates.ts';
import { checkCleanup } from '../../app/setup/check-cleanup.ts';
import type { Environment } from '../../config/environment.ts';
import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import { composeInit } from '../init.ts';
import type { Parts } from '../parts.ts';
import { cleanupDays } from './health.ts';

/** Which transcripts the agents would delete soon, and whether the archive has them. */
export async function checkCleanups(
  { config, sources, archive, machine }: Pick<Parts, 'config' | 'sources' | 'archive' | 'machine'>,
  env: Environment,
): Promise<HealthCheck[]> {
  const { homes, files } = composeInit(config, env);
  const deleting = sources.filter(({ agent }) => AGENT_ROWS[agent].cleanup !== null);
  const shelf = await readShelf(archive, config.archive.maxBytes);
  return deleting.flatMap((source) => {
    const found = withoutDuplicates(source.find());
    const folders = homes
      .filter(({ agent, exists }) => agent === source.agent && exists)
      .map((one) => ({
        days: cleanupDays(one, files),
        files: found.filter(({ path }) => path.startsWith(one.home + sep)),
      }));
    return checkCleanup({
      agent: source.agent,
      folders,
      isArchived: config.archive.enabled,
      holds: shelf.holds,
      nowMs: machine.now(),
    });
  });
}
