import type { GitStep } from '../../session/calls/git-steps.ts';
import type { Idea, Span } from '../../session/ideas.ts';

/** A position in a transcript. */
export interface Place {
  turn: number;
  line: number;
}

/** What extraction needs to continue later; plain data. Every list in it is bounded. */
export interface MemoryState {
  /** Number of ideas so far. */
  ideas: number;
  /** Ideas that may still be closed or answered; not all of them are known to be open. */
  open: Idea[];
  /** Hashes of contents, so that nothing is noted twice. */
  seen: string[];
  /** New or changed since the last `takeChanges`. */
  changed: Idea[];
  /** The latest decisions, any of which a correction may replace. */
  decisions: { index: number; content: string }[];
  asked: Asked[];
  /** The ideas of the latest commits. */
  commits: { idea: Idea; hash: string; subject: string }[];
  /** Plans waiting for a verdict. */
  plans: { call: string; text: string; line: number; turn: number }[];
  todos: { id: string | null; text: string; idea: number }[];
  calls: RunningCall[];
  turn: TurnState;
  topics: TopicState;
  time: string | null;
}

interface Asked {
  call: string;
  questions: { key: string; text: string; options: string[]; idea: number | null }[];
}

/** A command that commits. */
interface RunningCall {
  call: string;
  git: GitStep[];
  process?: string;
}

/** The turn that is still open. */
interface TurnState {
  number: number;
  /** Indexes of the user's open questions and requests in it, and of the questions that the turn before left unanswered. */
  questions: number[];
  unanswered: number[];
  /** Indexes of the agent's questions in it. */
  asked: number[];
  requests: number[];
  ideas: number;
  answered: boolean;
  /** Line of the latest commit that git reported in it. */
  committed: number | null;
  /** Whether files were changed or commits made in it. */
  worked: boolean;
}

export interface TopicState {
  spans: number;
  /** Open spans, outermost first. */
  path: OpenSpan[];
  changed: Span[];
  branch: string | null;
  folder: string | null;
  /** A topic shift that the next prompt confirms. */
  shift: 'none' | 'soft' | 'hard';
  lastTime: string | null;
}

export interface OpenSpan {
  span: Span;
  request: string;
  decided: string[];
  outcome: string;
}

export function emptyTurn(number: number, unanswered: number[]): TurnState {
  return {
    number,
    questions: [],
    unanswered,
    asked: [],
    requests: [],
    ideas: 0,
    answered: false,
    committed: null,
    worked: false,
  };
}

export function emptyMemoryState(): MemoryState {
  return {
    ideas: 0,
    open: [],
    seen: [],
    changed: [],
    decisions: [],
    asked: [],
    commits: [],
    plans: [],
    todos: [],
    calls: [],
    turn: emptyTurn(-1, []),
    topics: {
      spans: 0,
      path: [],
      changed: [],
      branch: null,
      folder: null,
      shift: 'none',
      lastTime: null,
    },
    time: null,
  };
}
