import * as z from 'zod';
import { AGENTS } from '../../domain/agent/agents.ts';
import { STRENGTHS } from '../../domain/search/certainty.ts';
import { OFFERED } from '../../domain/search/fork-options.ts';
import { matchLabel } from '../../domain/search/match-label.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import { OUTCOMES } from '../../domain/session/session.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import { cut } from '../text/cut.ts';
import type { Call } from '../tool.ts';

/** A result of fork_detect: what a user needs to choose it. A result that does not fit is one line. */
export const forkResult = z.looseObject({
  rank: z.number(),
  session_id: z.string(),
  title: z.string(),
  agent_type: z.enum(AGENTS),
  repo_name: z.string(),
  date: z.string().nullable().describe('last activity'),
  strength: z.enum(STRENGTHS).nullable().describe('how well it fits'),
  certainty: z.number().nullable().optional().describe('0 to 100'),
  recommended: z.boolean().optional(),
  message_count: z.number().optional(),
  outcome: z.enum(OUTCOMES).optional(),
  match: z.string().optional(),
  snippet: z.string().nullable().optional().describe('quoted'),
  can_fork: z.boolean().optional().describe('on this machine'),
  fork_command: z.string().optional().describe('for a new terminal'),
  warnings: z.array(z.string()).optional(),
});
export type ForkResult = z.infer<typeof forkResult>;

/** How much of each result the model gets. Null: what the user needs to choose. */
export type Detail = 'everything' | 'no snippets' | null;

/** Unless the caller says how long a snippet is. */
const MAX_SNIPPET = 100;
/** Results that come with their command; a call with `fork_index` has that of any other. */
const WITH_COMMAND = 1;

export function toForkResult(
  result: SearchResult,
  { detail, isMeasured }: { detail: Detail; isMeasured: boolean },
  call: Call,
): ForkResult {
  if (detail === 'everything') return wholeResult(result, call);
  const fits = result.strength !== 'none';
  const line = lineOf(result, fits);
  if (!fits && detail === null) return line;
  const warnings = forkWarnings(result, call.parts.machine);
  return {
    ...line,
    message_count: result.message_count,
    outcome: result.outcome,
    match: result.rank === 1 ? matchLabel(result) : undefined,
    found_by: result.found_by,
    snippet: detail !== null ? null : isMeasured ? result.snippet : cut(result.snippet, MAX_SNIPPET),
    machine: result.local ? undefined : result.machine,
    restorable: result.restorable || undefined,
    gone: result.gone,
    tags: filled(result.tags),
    note: result.note ?? undefined,
    can_fork: result.can_fork,
    fork_command: result.rank <= WITH_COMMAND ? result.fork_command : undefined,
    warnings: filled(warnings),
  };
}

function lineOf(result: SearchResult, fits: boolean): ForkResult {
  const { rank, session_id, title, agent, repo_name, strength, recommended } = result;
  const time = result.ended_at ?? result.started_at;
  return {
    rank,
    session_id,
    title,
    agent_type: agent,
    repo_name,
    date: time === null ? null : fits ? `${time.slice(0, 16)}Z` : time.slice(0, 10),
    strength,
    certainty: rank <= OFFERED ? result.certainty : undefined,
    recommended: recommended || undefined,
  };
}

/** All fields that the requirements document lists, and the rest of the session's card. */
function wholeResult(result: SearchResult, call: Call): ForkResult {
  const { agent, ended_at, repo_key: _, snippet_ranges: __, scores: ___, ...same } = result;
  return {
    ...same,
    agent_type: agent,
    date: ended_at ?? result.started_at,
    source_path: `smart-fork://session/${result.session_id}`,
    match: matchLabel(result),
    in_session_command: call.inSessionCommand(result.session_id),
    warnings: forkWarnings(result, call.parts.machine),
  };
}

function filled<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Reasons why a fork is impossible, or differs from what the user expects. */
function forkWarnings(session: SearchResult, machine: ThisMachine): string[] {
  const gone =
    session.machine === machine.name
      ? 'is gone from this machine'
      : `is not on this machine (it was written on ${session.machine})`;
  if (session.restorable) return [`The transcript ${gone}, but archived: a fork restores it.`];
  if (!session.local)
    return [`The transcript ${gone}: the session cannot be forked here, but its context can be loaded.`];
  if (machine.directoryExists(session.working_directory)) return [];
  return [`Its folder no longer exists here: ${session.working_directory || '(unknown)'}.`];
}
