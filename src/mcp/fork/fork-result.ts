import * as z from 'zod';
import { AGENTS } from '../../domain/agent/agents.ts';
import { STRENGTHS } from '../../domain/search/certainty.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import { MARKERS } from '../../domain/session/session.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import { warnings } from '../schemas.ts';
import { matchLabel } from '../text/match-label.ts';
import type { Call } from '../tool.ts';

/** A result of fork_detect, with everything that the user needs to choose. */
export const forkResult = z.object({
  rank: z.number(),
  score: z.number().describe('orders the results of one answer; not a percentage'),
  certainty: z
    .number()
    .nullable()
    .describe('0 to 100: how likely this is the right session; comparable between answers'),
  strength: z.enum(STRENGTHS).nullable().describe('the certainty in words; none: only among the closest'),
  session_id: z.string(),
  agent_type: z.enum(AGENTS),
  working_directory: z.string(),
  date: z.string().nullable().describe('last activity'),
  snippet: z.string().nullable().describe('the passage that matched best, quoted'),
  source_path: z.string().describe('resource of this server with the context'),
  jsonl_path: z.string().nullable().describe('the transcript, if it is on this machine'),
  title: z.string(),
  match: z.string().describe('why it was found'),
  found_by: z
    .string()
    .optional()
    .describe('what the query names, if the session was looked up by it; those come first'),
  recommended: z.boolean(),
  family: z
    .array(z.string())
    .optional()
    .describe('ids of its forks, of its origin and of sessions that did the same, which were found too'),
  repo_name: z.string(),
  branch: z.string().nullable(),
  machine: z.string(),
  started_at: z.string().nullable(),
  message_count: z.number(),
  outcome: z.enum(['committed', 'edited', 'discussed', 'empty']),
  markers: z.array(z.enum(MARKERS)),
  tags: z.array(z.string()),
  starred: z.boolean(),
  note: z.string().nullable(),
  parent_session_id: z.string().nullable(),
  local: z.boolean(),
  restorable: z.boolean().describe('the transcript is not here, but archived: the fork command restores it'),
  gone: z
    .literal(true)
    .optional()
    .describe('the transcript was on this machine, and is now neither here nor archived'),
  can_fork: z.boolean().describe('whether it can be forked on this machine'),
  fork_command: z.string().describe('for a new terminal'),
  in_session_command: z.string().describe('brings its context into the running conversation'),
  warnings,
});
export type ForkResult = z.infer<typeof forkResult>;

export function toForkResult(result: SearchResult, withSnippet: boolean, call: Call): ForkResult {
  const { agent, ended_at, repo_key: _, snippet_ranges: __, scores: ___, ...same } = result;
  return {
    ...same,
    agent_type: agent,
    date: ended_at ?? result.started_at,
    snippet: withSnippet ? result.snippet : null,
    source_path: `smart-fork://session/${result.session_id}`,
    match: matchLabel(result),
    in_session_command: call.inSessionCommand(result.session_id),
    warnings: forkWarnings(result, call.parts.machine),
  };
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
