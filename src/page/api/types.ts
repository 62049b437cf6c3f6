import type { SessionIdeas } from '../../domain/memory/memory-result.ts';
import type { SearchResponse } from '../../domain/search-result.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import type { SessionCard } from '../../domain/summary.ts';
import type { Marks } from '../../domain/tags/marks.ts';

/** The server's answers, as described in docs/json.md and the OpenAPI document. Turns are counted from 0 here. */

export interface Count {
  value: string;
  count: number;
}
export interface Facets {
  repo: Count[];
  agent: Count[];
  branch: Count[];
  month: Count[];
}
export type SearchAnswer = SearchResponse & { facets?: Facets };

export interface SessionPage {
  sessions: SessionCard[];
  cursor: string | null;
}

/** Maps ids to the short forms used on the command line. */
export type ShortIds = Record<string, string>;

export interface SessionView {
  session: SessionRecord & Marks;
  local: boolean;
  restorable: boolean;
  longer_on: string | null;
  resume: string | null;
  fork: string | null;
  turn_count: number;
  subagents: string[];
  short_ids: ShortIds;
}

export interface Edit {
  path: string;
  before: string;
  after: string;
}
export interface ToolStep {
  kind: 'tool';
  name: string;
  summary: string;
  input?: string;
  output?: string;
  edits?: Edit[];
  failed?: true;
  images?: { mime: string; data: string }[];
  /** Number of characters left out. */
  cut?: number;
}
export type Step =
  | { kind: 'text'; text: string }
  | ToolStep
  | { kind: 'compaction'; summary: string | null }
  | { kind: 'subagent'; id: string; title: string; turn_count: number };

export interface Turn {
  index: number;
  timestamp: string | null;
  user: string;
  assistant: string;
  tools: string[];
  files: string[];
  steps: Step[];
}
export interface TurnWindow {
  from: number;
  total: number;
  problem?: string | null;
  turns: Turn[];
}

export interface OutlineTurn {
  index: number;
  timestamp: string | null;
  title: string;
  files_count: number;
  has_match?: boolean;
}

export interface Check {
  name: string;
  status: 'ok' | 'note' | 'warn' | 'fail';
  message: string;
  fix?: string;
}
export interface Preflight {
  ready: boolean;
  checks: Check[];
  command: string;
  way: 'native' | 'turn' | 'inject';
  directory: string | null;
  notes?: string[];
  /** Whether a terminal is configured in which to open the fork. */
  launches?: boolean;
}

export interface ForkTree {
  session_id: string;
  session: (SessionRecord & Marks) | null;
  succeeded: boolean | null;
  quality: number | null;
  forks: ForkTree[];
}

interface CommitLink {
  hash: string;
  subject: string;
  url: string | null;
}
export interface SessionFiles {
  files: { path: string; edits: number; turns: number[] }[];
  commits: CommitLink[];
}
export interface FileDiff {
  path: string;
  edits: { turn: number; before: string; after: string }[];
}

export type Idea = SessionIdeas['ideas'][number];
export interface IdeaList {
  ideas: Idea[];
  left: number | null;
  short_ids: ShortIds;
}
export interface TimelineDay {
  date: string;
  sessions: SessionCard[];
  commits: { hash: string; subject: string; session_id: string }[];
  decisions: Idea[];
  todos: Idea[];
}

export interface TimelineAnswer {
  days: TimelineDay[];
  /** Number of older sessions not shown. */
  left: number;
}

export interface Waiting {
  intents: number;
  chunks: number;
}
export interface StatusReport {
  worker: { running: boolean; record: { state: string } | null; waiting: number; failed: number };
  waiting: Waiting;
  server: {
    address: string;
    sessions: number | null;
    outbox: { waiting: number; failing: number };
    problem: { message: string; hint: string | null } | null;
  } | null;
  problems: { message: string; hint: string | null }[];
}
export interface Setting {
  key: string;
  value: unknown;
  origin: string;
  description: string;
}
export interface IndexProgress {
  state: string;
  jobs: number;
  sessions: number;
  waiting: Waiting;
}
