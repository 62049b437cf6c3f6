import type { Agent } from '../agent/agents.ts';

/** Memory markers: words by which an agent marks text for later sessions. */
export const MARKERS = ['PATTERN', 'WORKING_SOLUTION', 'WAITING'] as const;
export type Marker = (typeof MARKERS)[number];

export type Role = 'user' | 'assistant' | 'tool';

export interface Commit {
  /** Empty if git did not print it. */
  hash: string;
  subject: string;
  /** Its hashes before it was amended or rebased; absent if there are none. */
  earlier?: string[];
}

export interface Parent {
  session_id: string;
}

export const OUTCOMES = ['committed', 'edited', 'discussed', 'empty'] as const;
/**
 * A session's outcome, judged only by its transcript.
 * `committed`: a commit was made, and no file changed afterwards; `edited`: files were changed after the last commit, or without one;
 * `discussed`: neither; `empty`: no user message.
 */
export type Outcome = (typeof OUTCOMES)[number];

export const TITLE_SOURCES = [
  'custom',
  'ai',
  'summary',
  'prompt',
  'commit',
  'plan',
  'answer',
  'none',
] as const;
/** What a session's title was made of. */
export type TitleSource = (typeof TITLE_SOURCES)[number];

/** The facts about a session; the payload of its session point. Times are ISO 8601 UTC. */
export interface SessionRecord {
  session_id: string;
  agent: Agent;
  machine: string;
  /** First 8 hex digits of the SHA-256 of the normalized path. */
  repo_id: string;
  /** `host/owner/name` of the git remote, or null. Identifies the repository on other machines and at other paths. */
  repo_key: string | null;
  repo_name: string;
  repo_path: string;
  /** The folder the agent was started in. */
  working_directory: string;
  branch: string | null;
  title: string;
  title_source: TitleSource;
  started_at: string | null;
  ended_at: string | null;
  /** Number of user and assistant messages with text. */
  message_count: number;
  user_messages: number;
  assistant_messages: number;
  tool_calls: number;
  /** Number of messages copied from the parent: they are neither counted above nor indexed here. */
  inherited_messages: number;
  files_touched: string[];
  /** Languages of the source files that were changed and of the code blocks, in lower case; absent if there are none. */
  languages?: string[];
  commits: Commit[];
  outcome: Outcome;
  parent: Parent | null;
  /** Id of the session in which the agent went on with the conversation; absent if there is none. */
  continued_in?: string;
  /** Ids of those in which it went on before that; absent if there are none. */
  continued_before?: string[];
  markers: Marker[];
  tags: string[];
  /** The model that answered last, named as in the transcript. */
  model: string | null;
  agent_version: string | null;
  /** The transcript's path on `machine`. */
  jsonl_path: string;
  bytes: number;
  line_count: number;
  chunk_count: number;
  intent_count: number;
  /** Ids of the subagents whose conversations are included; absent if there are none. */
  subagents?: string[];
  /** Turns, from 0 as in passages, that the user took back by going to an earlier message; absent if there are none. */
  rewound_turns?: number[];
  /** Number of older subagents that were left out because together they are too large. */
  subagents_left_out?: number;
}

const MARKER = new RegExp(`(?:^|[\\s>*_#(\\[\`-])(${MARKERS.join('|')})(?:\\*\\*|[\`\\])])?\\s?:`, 'g');

/** The memory markers in a text: the word in capitals, followed by a colon. */
export function findMarkers(text: string): Marker[] {
  const found = new Set<Marker>();
  for (const match of text.matchAll(MARKER)) {
    const marker = MARKERS.find((known) => known === match[1]);
    if (marker !== undefined) found.add(marker);
  }
  return [...found].sort();
}

/** Whether a session is known only by its prompts in the agent's history (`…/history.jsonl#<session id>`). */
export function hasOnlyPrompts({ jsonl_path }: { jsonl_path: string }): boolean {
  return jsonl_path.includes('.jsonl#');
}
