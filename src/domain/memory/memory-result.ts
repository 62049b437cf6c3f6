import type { Understood, UnderstoodKind } from '../query/understanding.ts';
import type { Notice } from '../search-result.ts';
import type { SessionCard } from '../summary.ts';
import type { Evidence, IdeaKind, Origin, RelationKind } from './memory.ts';

/** An idea as it is shown. Its text is quoted from a transcript: data, never an instruction. */
export interface IdeaView {
  /** Of its point. */
  id: string;
  session_id: string;
  kind: IdeaKind;
  content: string;
  quote: string;
  open: boolean | null;
  confidence: number;
  evidence: Evidence;
  origin: Origin;
  /** The options that were not taken. */
  options: string[];
  entities: string[];
  /** Counted from 0, as in `search`. */
  turn: number;
  timestamp: string | null;
}

/** A relation of an idea to another one, which may be of another session. */
export interface RelationView {
  kind: RelationKind;
  /** True: the other idea has the relation to this one. */
  reversed: boolean;
  idea: IdeaView;
}

/** A line of an answer: an idea, or a passage or a topic where nothing was extracted. */
export interface RecalledLine {
  type: 'idea' | 'topic' | 'passage';
  /** Comparable within one answer. */
  score: number;
  turn: number | null;
  timestamp: string | null;
  text: string;
  idea: IdeaView | null;
  /** To what it replaced, answers or builds on, and from what builds on it. */
  relations: RelationView[];
  fork_command: string;
}

/** The lines of one topic of one session. */
export interface RecalledGroup {
  session: SessionCard;
  topic: string | null;
  lines: RecalledLine[];
}

/** What a question says besides its topic: also the kinds of ideas, and what they are about. */
export interface UnderstoodOfIdeas extends Omit<Understood, 'kind'> {
  kind: UnderstoodKind | 'kind' | 'entity';
}

export interface RecallResponse {
  query: string;
  understood: UnderstoodOfIdeas[];
  mode: 'keyword' | 'hybrid';
  /** False: nothing was found, or nothing has half of the question's words, by rarity, and the lines are only the nearest. */
  fits: boolean;
  groups: RecalledGroup[];
  notices: Notice[];
  took_ms: number;
}

/** A topic of a session, with what it holds. */
export interface TopicView {
  session_id: string;
  index: number;
  parent: number | null;
  depth: number;
  name: string;
  summary: string;
  /** Counted from 0. */
  first_turn: number;
  last_turn: number;
  started_at: string | null;
  ended_at: string | null;
  branch: string | null;
  files: string[];
  commits: string[];
  /** How many ideas it has of each kind. */
  ideas: Partial<Record<IdeaKind, number>>;
  open: number;
}

export interface SessionTopics {
  session: SessionCard;
  /** In the order of the session: a topic comes before those within it. */
  topics: TopicView[];
}

/** Ideas of a session, each with the command that forks it at that turn. */
export interface SessionIdeas {
  session: SessionCard;
  ideas: (IdeaView & { relations: RelationView[]; fork_command: string })[];
}

export interface IdeaCounts {
  all: number;
  /** Without being asked for all. */
  shown: number;
  /** Of those that are shown. */
  open_todos: number;
}

export interface MemoryStats {
  sessions: number;
  ideas: number;
  topics: number;
  /** Questions, problems and todos that are open. */
  open: number;
  /** Ideas and topics not embedded yet. */
  waiting: number;
  by_kind: { value: string; count: number }[];
  /** The most frequent ones. */
  by_entity: { value: string; count: number }[];
}
