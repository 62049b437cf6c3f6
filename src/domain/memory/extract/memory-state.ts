import type { Idea, Span } from '../memory.ts';

/** Where something stands in a transcript. */
export interface Place {
  turn: number;
  line: number;
}

/** What extraction needs to continue later; plain data. Every list in it is bounded. */
export interface MemoryState {
  /** How many ideas there are. */
  ideas: number;
  /** Ideas that may still be closed or answered. */
  open: Idea[];
  /** Hashes of contents, so that nothing is noted twice. */
  seen: string[];
  /** New or changed since the last `takeChanges`. */
  changed: Idea[];
  /** The latest decisions: a correction may replace one. */
  decisions: { index: number; content: string }[];
  asked: Asked[];
  /** The one that waits for its verdict. */
  plans: { call: string; text: string; line: number; turn: number }[];
  todos: { id: string | null; text: string; idea: number }[];
  calls: RunningCall[];
  failures: Failure[];
  turn: TurnState;
  topics: TopicState;
  time: string | null;
}

export interface Asked {
  call: string;
  questions: { key: string; options: string[]; idea: number | null }[];
}

export interface RunningCall {
  call: string;
  command: string;
  process?: string;
}

/** A command that failed, until it passes. */
export interface Failure {
  command: string;
  error: string;
  signature: string;
  turn: number;
  line: number;
  timestamp: string | null;
  /** Files changed since. */
  edits: string[];
  /** Its problem, once somebody took it up. */
  idea: number | null;
}

/** The turn that may go on. */
export interface TurnState {
  number: number;
  /** Its open questions and requests of the user. */
  questions: number[];
  requests: number[];
  ideas: number;
  answered: boolean;
  /** Whether anything was changed or committed in it. */
  worked: boolean;
}

export interface TopicState {
  spans: number;
  /** From the outermost to the innermost. */
  path: OpenSpan[];
  changed: Span[];
  branch: string | null;
  folder: string | null;
  /** A shift that the next prompt makes true. */
  shift: 'none' | 'soft' | 'hard';
  lastTime: string | null;
  /** Words of the latest prompts, for drift. */
  words: string[][];
}

export interface OpenSpan {
  span: Span;
  request: string;
  decided: string[];
  outcome: string;
}

export function emptyMemoryState(): MemoryState {
  return {
    ideas: 0,
    open: [],
    seen: [],
    changed: [],
    decisions: [],
    asked: [],
    plans: [],
    todos: [],
    calls: [],
    failures: [],
    turn: { number: -1, questions: [], requests: [], ideas: 0, answered: false, worked: false },
    topics: {
      spans: 0,
      path: [],
      changed: [],
      branch: null,
      folder: null,
      shift: 'none',
      lastTime: null,
      words: [],
    },
    time: null,
  };
}
