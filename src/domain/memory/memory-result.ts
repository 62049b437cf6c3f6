import type * as z from 'zod';
import type {
  idea,
  ideaList,
  later,
  recalled,
  recalledLine,
  relation,
  sessionTopics,
  topic,
  topicAcross,
} from '../json/memory.ts';
import type { SessionCard } from '../summary.ts';

export type IdeaView = z.infer<typeof idea>;
export type RelationView = z.infer<typeof relation>;
/** A line of an answer: an idea, or a passage or topic if nothing was extracted there. */
export type RecalledLine = z.infer<typeof recalledLine>;
export type RecallResponse = z.infer<typeof recalled>;
/** The lines of one topic of one session. */
export type RecalledGroup = RecallResponse['groups'][number];
/** The sentences of one message that answer a question, quoted. */
export type RecalledAnswer = RecallResponse['answers'][number];
/** What is said after an answer that it may not hold. */
export type LaterView = z.infer<typeof later>;
/** What a question says besides its topic, including the kinds and entities of the ideas wanted. */
export type UnderstoodOfIdeas = RecallResponse['understood'][number];
/** A topic of a session, and its contents. */
export type TopicView = z.infer<typeof topic>;
/** A topic of several sessions. */
export type TopicAcross = z.infer<typeof topicAcross>;
/** In session order: a topic comes before its subtopics. */
export type SessionTopics = z.infer<typeof sessionTopics>['sessions'][number];

/** Ideas of a session, each with the command that forks it at that turn. */
export interface SessionIdeas {
  session: SessionCard;
  ideas: z.infer<typeof ideaList>['ideas'];
}

export interface IdeaCounts {
  all: number;
  /** Number of open todos among them. */
  open_todos: number;
}

export interface MemoryStats {
  sessions: number;
  ideas: number;
  topics: number;
  /** Number of open questions, problems and todos. */
  open: number;
  /** Ideas and topics not embedded yet. */
  waiting: number;
  by_kind: { value: string; count: number }[];
  /** Most frequent entities, except errors. */
  by_entity: { value: string; count: number }[];
}
