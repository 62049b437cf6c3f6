export const IDEA_KINDS = [
  'decision',
  'conclusion',
  'question',
  'problem',
  'solution',
  'todo',
  'context',
] as const;
export type IdeaKind = (typeof IDEA_KINDS)[number];

export const RELATION_KINDS = ['supersedes', 'builds_on', 'contradicts', 'answers', 'relates_to'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

/** Who recorded an idea: the rules that read the transcript, the agent that was running, or a model that read the transcript later. */
export const ORIGINS = ['transcript', 'agent', 'model'] as const;
export type Origin = (typeof ORIGINS)[number];

/** The source of an idea. A report ends a turn of the agent; a remark is what it says along the way. */
export const EVIDENCE = [
  'choice',
  'plan',
  'todo-list',
  'summary',
  'report',
  'remark',
  'commit',
  'run',
  'correction',
  'prompt',
  'marker',
] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** Whether an idea is a sentence of the summary that a model wrote of its session. */
export function isWritten({ origin, evidence }: { origin: Origin; evidence: Evidence }): boolean {
  return origin === 'model' && evidence === 'summary';
}

/** A relation to another idea of the same session, by index. */
export interface SessionRelation {
  kind: RelationKind;
  to: number;
  /** 0 to 1. */
  confidence: number;
}

/** A decision, question, problem … of a session, and the words that it was taken from. */
export interface Idea {
  /** Stable as the session grows. */
  index: number;
  kind: IdeaKind;
  /** At most 1 KB. */
  content: string;
  /** 0 to 1. */
  confidence: number;
  /** For questions, problems and todos; null for other kinds. */
  isOpen: boolean | null;
  /** Index of its span. */
  span: number;
  turn: number;
  line: number;
  /** Verbatim in the redacted text of the transcript. */
  quote: string;
  evidence: Evidence;
  origin: Origin;
  /** A decision's rejected options. */
  options?: string[];
  /** `type:name`, normalised. */
  entities: string[];
  relations: SessionRelation[];
  /** ISO 8601 UTC. */
  timestamp: string | null;
}

/** A topic of a session. Spans form a tree. */
export interface Span {
  /** Stable as the session grows. */
  index: number;
  /** Index of the parent span. */
  parent: number | null;
  depth: number;
  name: string;
  summary: string;
  firstTurn: number;
  lastTurn: number;
  firstLine: number;
  lastLine: number;
  /** ISO 8601 UTC. */
  started_at: string | null;
  ended_at: string | null;
  branch: string | null;
  files: string[];
  /** Commit hashes. */
  commits: string[];
  /** `type:name`, normalised. */
  entities: string[];
}
