import type { HealthCheck } from '../../domain/server-state.ts';
import { plural } from '../../domain/text/time-text.ts';

/** Whether transcripts survive Claude Code's cleanup. `days` has an entry for each folder of Claude Code. */
export function checkCleanup(days: number[], isArchived: boolean): HealthCheck[] {
  if (days.length === 0) return [];
  const name = 'Clean-up';
  const fact = `Claude Code deletes transcripts after ${plural(Math.min(...days), 'day')} (cleanupPeriodDays)`;
  if (isArchived) return [{ name, status: 'ok', message: `${fact}; the archive keeps copies` }];
  const fix =
    'Archive them: smart-fork config set archive.enabled true. Or raise cleanupPeriodDays in settings.json.';
  return [{ name, status: 'warn', message: `${fact}, and archiving is off`, fix }];
}
