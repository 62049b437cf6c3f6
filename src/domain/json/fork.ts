import * as z from 'zod';
import { AGENTS } from '../agent/agents.ts';
import { sessionRecord } from './session.ts';
import { check } from './state.ts';

/** How a repository has changed since a session. */
export const drift = z.object({
  branch: z.string().nullable().describe('checked out now; null when HEAD is detached'),
  branch_exists: z.boolean().nullable().describe("the session's; null if it had none"),
  commits_since: z.number().nullable().describe('null when unknown'),
  changed_files: z.array(z.string()).describe("those of the session's files that differ now"),
  unknown_files: z
    .array(z.string())
    .describe('those that may have changed, but could not be compared without running a filter'),
});

/** What is known before a fork: `fork --check --json`. Fields may be added. */
export const preflight = z.object({
  session_id: z.string(),
  ready: z.boolean().describe('false when the session cannot be forked natively now'),
  checks: z.array(check),
  facts: z.object({
    path: z.string().nullable().describe('of the transcript on this machine'),
    restorable: z.boolean().describe('whether it must first be restored from an archive'),
    idle_seconds: z.number().nullable().describe('since the transcript was last written'),
    open_in: z.array(z.object({ pid: z.number(), busy: z.boolean() })),
    context: z.object({ tokens: z.number(), window: z.number().nullable() }).nullable(),
    folder: z.string().describe("where the fork would start: the session's own, or else the current one"),
    folder_is_original: z.boolean(),
    same_repository: z.boolean().nullable(),
    drift: drift.nullable(),
    program: z.object({ path: z.string(), version: z.string().nullable(), can_fork: z.boolean() }).nullable(),
  }),
});

/** What `fork ID --json` prints. */
export const madeFork = z.object({
  session: sessionRecord,
  rank: z.number().nullable(),
  way: z.enum(['native', 'turn', 'inject']),
  agent: z.enum(AGENTS),
  command: z.string(),
  words: z.array(z.string()),
  directory: z.string().nullable(),
  first: z.array(z.string()).nullable(),
  turn: z.number().nullable(),
  result_session_id: z.string().nullable(),
  notes: z.array(z.string()),
  preflight,
});

/** What `chain --json` prints. */
export const forkTree = z.object({
  session_id: z.string(),
  session: sessionRecord.nullable(),
  succeeded: z.boolean().nullable(),
  quality: z.number().nullable(),
  get forks() {
    return z.array(forkTree);
  },
});

/** A fork made on this machine, as `forks --json` prints it. */
export const forkedBefore = z.object({
  chosen_at: z.string(),
  session_id: z.string(),
  title: z.string().nullable().describe('null if the session is not indexed'),
  query: z.string().nullable().describe('the search before it; null without one, or if it was forgotten'),
  rank: z.number().nullable(),
  agent: z.enum(AGENTS),
  way: z.enum(['native', 'turn', 'inject']),
  printed: z.boolean().describe('only the command was given, and no session that it made is known'),
  turn: z.number().nullable(),
  text: z.string().describe('how it was forked, in words'),
  result_session_id: z.string().nullable().describe('the new session, once it is known'),
  result_indexed: z.boolean().describe('whether it is indexed: it is once the conversation goes on'),
});
export type ForkedBefore = z.infer<typeof forkedBefore>;
