import * as z from 'zod';
import { forkWarnings } from '../../app/fork/prepare-fork.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import { AGENTS, MARKERS } from '../../domain/session/session.ts';
import { warnings } from '../schemas.ts';
import { matchLabel } from '../text/match-label.ts';
import type { Call } from '../tool.ts';

/** One result of fork_detect: everything that a person needs to choose. */
export const forkResult = z.object({
  rank: z.number(),
  score: z.number().describe('orders the results of one answer; not a percentage'),
  session_id: z.string(),
  agent_type: z.enum(AGENTS),
  working_directory: z.string(),
  date: z.string().nullable().describe('last activity'),
  snippet: z.string().nullable().describe('the passage that matched best, quoted'),
  source_path: z.string().describe('resource of this server that holds the context'),
  jsonl_path: z.string().nullable().describe('the transcript, where it is on this machine'),
  title: z.string(),
  match: z.string().describe('why it is here'),
  recommended: z.boolean(),
  repo_name: z.string(),
  branch: z.string().nullable(),
  machine: z.string(),
  started_at: z.string().nullable(),
  message_count: z.number(),
  outcome: z.enum(['committed', 'edited', 'discussed', 'empty']),
  markers: z.array(z.enum(MARKERS)),
  tags: z.array(z.string()),
  parent_session_id: z.string().nullable(),
  local: z.boolean(),
  restorable: z.boolean().describe('the transcript is not here, but kept: the fork command restores it'),
  can_fork: z.boolean().describe('whether it can be forked on this machine'),
  fork_command: z.string().describe('for a new terminal'),
  in_session_command: z.string().describe('brings its context into the running conversation'),
  warnings,
});
export type ForkResult = z.infer<typeof forkResult>;

export function toForkResult(result: SearchResult, withSnippet: boolean, call: Call): ForkResult {
  return {
    rank: result.rank,
    score: result.score,
    session_id: result.session_id,
    agent_type: result.agent,
    working_directory: result.working_directory,
    date: result.ended_at ?? result.started_at,
    snippet: withSnippet ? result.snippet : null,
    source_path: `smart-fork://session/${result.session_id}`,
    jsonl_path: result.jsonl_path,
    title: result.title,
    match: matchLabel(result),
    recommended: result.recommended,
    repo_name: result.repo_name,
    branch: result.branch,
    machine: result.machine,
    started_at: result.started_at,
    message_count: result.message_count,
    outcome: result.outcome,
    markers: result.markers,
    tags: result.tags,
    parent_session_id: result.parent_session_id,
    local: result.local,
    restorable: result.restorable,
    can_fork: result.can_fork,
    fork_command: result.fork_command,
    in_session_command: call.inSessionCommand(result.session_id),
    warnings: forkWarnings(result, call.parts.machine),
  };
}
