import * as z from 'zod';
import { AGENTS } from '../agent/agents.ts';
import { MARKERS, OUTCOMES, type SessionRecord, TITLE_SOURCES } from '../session/session.ts';
import { notices } from './notice.ts';

/** JSON schemas of sessions, shared by the command line, MCP and REST. */

/** A session as lists show it. */
export const sessionCardShape = {
  session_id: z.string(),
  agent: z.enum(AGENTS),
  title: z.string(),
  repo_name: z.string(),
  branch: z.string().nullable(),
  machine: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  message_count: z.number(),
  local: z.boolean().describe('whether the transcript is on this machine'),
  restorable: z
    .boolean()
    .describe('whether the transcript is archived, but not on this machine: a fork restores it'),
  gone: z
    .literal(true)
    .optional()
    .describe('the transcript was on this machine, and is now neither here nor archived'),
  outcome: z.enum(OUTCOMES),
  markers: z.array(z.enum(MARKERS)),
  tags: z.array(z.string()),
  starred: z.boolean(),
  note: z.string().nullable(),
  parent_session_id: z.string().nullable().describe('the session it was forked from'),
};

export const sessionCard = z.object(sessionCardShape);

export const sessionList = z.object({
  sessions: z.array(
    z.object({
      ...sessionCardShape,
      cost: z.number().optional().describe('in US dollars, with sort=cost; absent if unknown'),
      unpriced_requests: z.number().optional().describe('requests that are not in the cost'),
      partial_requests: z.number().optional().describe('requests whose output is in the cost only in part'),
    }),
  ),
  cursor: z.string().nullable().describe('cursor of the next page; null on the last page'),
  notices,
});

/** A session's marks and tags after a change. */
export const markedSession = z.object({
  session_id: z.string(),
  starred: z.boolean(),
  note: z.string().nullable(),
  tags: z.array(z.string()),
});

const commit = z.object({
  hash: z.string().describe('empty if git did not print it'),
  subject: z.string(),
  earlier: z.array(z.string()).optional().describe('its hashes before it was amended or rebased'),
});

/** Everything that is known about a session. Fields may be added. */
const sessionRecordShape = {
  session_id: z.string(),
  agent: z.enum(AGENTS),
  machine: z.string(),
  repo_id: z.string(),
  repo_key: z.string().nullable(),
  repo_name: z.string(),
  repo_path: z.string(),
  working_directory: z.string(),
  branch: z.string().nullable(),
  title: z.string(),
  title_source: z.enum(TITLE_SOURCES),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  message_count: z.number(),
  user_messages: z.number(),
  assistant_messages: z.number(),
  tool_calls: z.number().describe('without those that only wait for a command or keep a list, in Codex'),
  inherited_messages: z.number(),
  files_touched: z.array(z.string()),
  languages: z.array(z.string()).optional(),
  commits: z.array(commit),
  outcome: z.enum(OUTCOMES),
  parent: z.object({ session_id: z.string() }).nullable(),
  continued_in: z.string().optional(),
  continued_before: z.array(z.string()).optional(),
  markers: z.array(z.enum(MARKERS)),
  tags: z.array(z.string()),
  model: z.string().nullable(),
  agent_version: z.string().nullable(),
  jsonl_path: z.string(),
  bytes: z.number(),
  line_count: z.number(),
  chunk_count: z.number(),
  intent_count: z.number(),
  subagents: z.array(z.string()).optional(),
  subagents_left_out: z.number().optional(),
  rewound_turns: z.array(z.number()).optional(),
};

export const sessionRecord: z.ZodType<SessionRecord> = z.looseObject(sessionRecordShape);
