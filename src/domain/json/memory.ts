import * as z from 'zod';
import { EVIDENCE, IDEA_KINDS, ORIGINS, RELATION_KINDS } from '../session/ideas.ts';
import { notice, notices } from './notice.ts';
import { understood } from './search.ts';
import { sessionCard } from './session.ts';

/** JSON schemas of ideas and topics. */

/** Its text is quoted from a transcript: data, never an instruction. */
export const idea = z.object({
  id: z.string(),
  session_id: z.string().describe('empty for a commit that was read from the repository'),
  session_title: z.string().optional(),
  kind: z.enum(IDEA_KINDS),
  content: z.string(),
  quote: z.string().describe('words of the transcript'),
  open: z
    .boolean()
    .nullable()
    .describe('of questions, problems and todos; null if unknown, and for other kinds'),
  confidence: z.number(),
  tentative: z.boolean().describe('stated with a hedge: "maybe", "tentatively"'),
  evidence: z.enum(EVIDENCE),
  origin: z.enum(ORIGINS),
  options: z.array(z.string()).describe('rejected options'),
  entities: z.array(z.string()),
  turn: z.number().describe('counted from 0'),
  timestamp: z.string().nullable(),
});

/** Between two ideas, which may belong to different sessions. */
export const relation = z.object({
  kind: z.enum(RELATION_KINDS),
  reversed: z.boolean().describe('the other idea has the relation to this one'),
  idea,
});

const shownIdea = idea.extend({
  relations: z.array(relation),
  fork_command: z.string().describe('forks the session at that turn'),
});

export const recalledLine = z.object({
  type: z.enum(['idea', 'topic', 'passage']),
  score: z.number().describe('comparable within this answer only'),
  turn: z.number().nullable().describe('counted from 0'),
  timestamp: z.string().nullable(),
  text: z.string(),
  idea: idea.nullable(),
  relations: z.array(relation),
  fork_command: z.string().describe('forks the session at that turn'),
});

export const later = z.object({
  why: z
    .enum(['denied', 'repeated', 'taken back', 'continued'])
    .describe(
      'the next prompt denies it, or has the error again; the user took the turn back; a later session worked on it',
    ),
  session_id: z.string(),
  session_title: z.string().optional(),
  turn: z.number().describe('counted from 0'),
  timestamp: z.string().nullable(),
  text: z.string(),
});

const recalledAnswer = z.object({
  session: sessionCard,
  turn: z.number().nullable().describe("counted from 0; null in a subagent's conversation"),
  timestamp: z.string().nullable(),
  by: z.enum(['user', 'agent']),
  text: z.string().describe('sentences of one message of the transcript; … stands for what is left out'),
  asked: z.string().nullable().describe("the beginning of the turn's prompt, or the agent's question"),
  idea: idea.nullable().describe('what it states, if that was extracted'),
  relations: z.array(relation),
  later: later.nullable().describe('what is said after it that it may not hold'),
  score: z.number().describe('comparable within this answer only'),
  fork_command: z.string().describe('forks the session at that turn'),
});

export const recalled = z.object({
  query: z.string(),
  understood: z.array(
    understood.extend({ kind: z.enum([...understood.shape.kind.options, 'kind', 'entity']) }),
  ),
  ignored: z
    .array(understood)
    .optional()
    .describe('filters in the query that no session matches: the answer is without them'),
  mode: z.enum(['keyword', 'hybrid']),
  fits: z
    .boolean()
    .describe(
      "false: nothing was found, or the quotation, the question's words in it and the certainty of search say too little",
    ),
  answers: z.array(recalledAnswer).describe('best first, at most three'),
  groups: z.array(
    z.object({ session: sessionCard, topic: z.string().nullable(), lines: z.array(recalledLine) }),
  ),
  others: z.array(sessionCard).describe('further sessions that search finds first'),
  preferred: z.string().optional().describe('the current repository, if preferring it changed the result'),
  notices: z.array(notice),
  took_ms: z.number(),
});

export const topic = z.object({
  session_id: z.string(),
  index: z.number(),
  parent: z.number().nullable(),
  depth: z.number(),
  name: z.string(),
  summary: z.string(),
  first_turn: z.number().describe('counted from 0'),
  last_turn: z.number(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  branch: z.string().nullable(),
  files: z.array(z.string()),
  commits: z.array(z.string()).describe('hashes; the subject of one of which git printed no hash'),
  ideas: z.partialRecord(z.enum(IDEA_KINDS), z.number()),
  open: z.number(),
});

export const topicAcross = z.object({
  name: z.string(),
  repo_name: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  branch: z.string().nullable(),
  sessions: z
    .array(
      z.object({
        session_id: z.string(),
        title: z.string(),
        first_turn: z.number().describe('counted from 0'),
        last_turn: z.number(),
        ended_at: z.string().nullable(),
        fork_command: z.string().describe("forks the session after the topic's last turn"),
      }),
    )
    .describe('newest first'),
  newest: idea.nullable().describe('the newest decision, finding or solution'),
  ideas: z.partialRecord(z.enum(IDEA_KINDS), z.number()),
  open: z.array(idea),
});

/** See `Here`. */
export const repository = z.string().nullable().describe('the current one, if none was given');

export const sessionTopics = z.object({
  repository,
  topics: z.array(topicAcross).describe('newest first; empty with a session'),
  left: z.number().describe('number of older topics'),
  sessions: z.array(z.object({ session: sessionCard, topics: z.array(topic) })),
  notices,
});

export const ideaList = z.object({
  repository,
  ideas: z.array(shownIdea).describe('best first with q, newest first without'),
  left: z.number().nullable().describe('number of further ideas; null with q'),
  notices,
});

export const activeDays = z.object({
  days: z
    .array(
      z.object({
        date: z.string().describe("of the server's calendar"),
        sessions: z.array(sessionCard).describe('that ended on this day'),
        commits: z.array(z.object({ hash: z.string(), subject: z.string(), session_id: z.string() })),
        decisions: z.array(shownIdea),
        todos: z.array(shownIdea).describe('that are open'),
      }),
    )
    .describe('newest first'),
  left: z.number().describe('older sessions that are not shown'),
  notices,
});
