import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';

interface CleanupFacts {
  agent: Agent;
  /** Each of its folders with transcripts, and the days after which it deletes them there; Infinity: never. */
  folders: { days: number; files: TranscriptFile[] }[];
  isArchived: boolean;
  /** Whether the archive has a transcript's current state. */
  holds(file: TranscriptFile): boolean;
  nowMs: number;
}

/** Whether transcripts survive an agent's cleanup, and how many it would delete soon. Nothing for an agent that deletes none. */
export function checkCleanup({ agent, folders, isArchived, holds, nowMs }: CleanupFacts): HealthCheck[] {
  const { name: agentName, cleanup } = AGENT_ROWS[agent];
  const days = Math.min(...folders.map((folder) => folder.days));
  if (cleanup === null || !Number.isFinite(days)) return [];
  const name = 'Clean-up';
  const soon = folders.flatMap((folder) => soonDeleted(folder, nowMs));
  const left = soon.filter((file) => !holds(file)).length;
  const rule = `${agentName} deletes transcripts after ${plural(Math.round(days * 10) / 10, 'day')} (${cleanup.setting})`;
  const fact =
    soon.length === 0 ? rule : `${rule}; ${plural(soon.length, 'session')} would be deleted in the next week`;
  if (!isArchived) {
    const fix = `Archive them: smart-fork config set archive.enabled true. Or raise ${cleanup.setting} in ${cleanup.file}.`;
    return [{ name, status: 'warn', message: `${fact}, and archiving is off`, fix }];
  }
  if (soon.length === 0) return [{ name, status: 'ok', message: `${fact}; the archive keeps copies` }];
  if (left === 0) return [{ name, status: 'ok', message: `${fact}; ${areText(soon.length)} archived` }];
  const fix =
    'smart-fork index archives sessions that are indexed. Empty ones, and those that privacy rules exclude, are not.';
  return [{ name, status: 'note', message: `${fact}; ${left} ${areVerb(left)} not archived`, fix }];
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 7;

/** Those that the agent deletes at its next start count, too. */
function soonDeleted({ days, files }: CleanupFacts['folders'][number], nowMs: number): TranscriptFile[] {
  return files.filter(({ mtimeMs }) => mtimeMs + days * DAY_MS < nowMs + SOON_DAYS * DAY_MS);
}

function areText(number: number): string {
  return number === 1 ? 'it is' : 'they are';
}

function areVerb(number: number): string {
  return number === 1 ? 'is' : 'are';
}
