import type { Agent } from '../agent/agents.ts';
import { outcomeOf, type SessionDraft } from '../session/draft.ts';
import type { Idea, Span } from '../session/ideas.ts';
import { repoId, repoKey, repoName } from '../session/repository.ts';
import { findMarkers, type Marker, type SessionRecord } from '../session/session.ts';
import { titleOfDraft } from '../session/session-title.ts';
import { nodeCrypto, sha256 } from '../text/hash.ts';
import type { Chunk } from './chunking.ts';
import type { Intent } from './intents.ts';
import type {
  ChunkPayload,
  IdeaPayload,
  IntentPayload,
  Point,
  SessionPayload,
  SpanPayload,
} from './point.ts';
import { pointId } from './point-id.ts';

/** Fields shared by all points of a session. */
export type SessionIdentity = Pick<
  SessionRecord,
  'session_id' | 'agent' | 'machine' | 'repo_id' | 'repo_key' | 'repo_name' | 'repo_path'
>;

export function identityOf(
  session: {
    sessionId: string;
    agent: Agent;
    machine: string;
    workingDirectory: string;
    /** URL in the transcript; the remote of the folder itself takes precedence. */
    remoteUrl: string | null;
  },
  repository: { root: string; remoteUrl: string | null } | null,
): SessionIdentity {
  const path = repository?.root ?? session.workingDirectory;
  const remoteUrl = repository?.remoteUrl ?? session.remoteUrl;
  const key = remoteUrl === null ? null : repoKey(remoteUrl);
  return {
    session_id: session.sessionId,
    agent: session.agent,
    machine: session.machine,
    repo_id: repoId(path),
    repo_key: key,
    repo_name: repoName(key ?? path),
    repo_path: path,
  };
}

export function chunkPoint(identity: SessionIdentity, chunk: Chunk): Point<ChunkPayload> {
  const { repo_path: _, ...common } = identity;
  const payload: ChunkPayload = {
    type: 'chunk',
    ...common,
    timestamp: chunk.timestamp,
    ended_at: chunk.ended_at,
    content_hash: sha256(chunk.content),
    chunk_index: chunk.index,
    markers: findMarkers(chunk.content),
    content: chunk.content,
    overlap: chunk.overlap,
    turn: chunk.turn,
    subagent: chunk.subagent,
  };
  return { id: pointId(identity.session_id, 'chunk', chunk.index), payload };
}

export function intentPoint(identity: SessionIdentity, intent: Intent): Point<IntentPayload> {
  const { repo_path: _, ...common } = identity;
  const payload: IntentPayload = {
    type: 'intent',
    ...common,
    timestamp: intent.timestamp,
    ended_at: intent.ended_at,
    content_hash: sha256(intent.text),
    chunk_index: intent.index,
    markers: findMarkers(intent.text),
    intent_text: intent.text,
  };
  return { id: pointId(identity.session_id, 'intent', intent.index), payload };
}

export function ideaPoint(identity: SessionIdentity, idea: Idea): Point<IdeaPayload> {
  const { repo_path: _, ...common } = identity;
  const { index, isOpen, timestamp, options, ...rest } = idea;
  const payload: IdeaPayload = {
    type: 'idea',
    ...common,
    timestamp,
    ended_at: timestamp,
    // Covers the whole idea: one that was closed or related must be stored again, although its text is the same.
    content_hash: sha256(JSON.stringify(idea)),
    chunk_index: index,
    markers: [],
    ...rest,
    is_open: isOpen,
    options,
  };
  return { id: pointId(identity.session_id, 'idea', index), payload };
}

export function spanPoint(identity: SessionIdentity, span: Span): Point<SpanPayload> {
  const { repo_path: _, ...common } = identity;
  const { index, started_at, firstTurn, lastTurn, firstLine, lastLine, ...rest } = span;
  const payload: SpanPayload = {
    type: 'span',
    ...common,
    timestamp: started_at,
    content_hash: sha256(JSON.stringify(span)),
    chunk_index: index,
    markers: [],
    ...rest,
    first_turn: firstTurn,
    last_turn: lastTurn,
    first_line: firstLine,
    last_line: lastLine,
  };
  return { id: pointId(identity.session_id, 'span', index), payload };
}

export interface SessionFacts {
  draft: SessionDraft;
  markers: Marker[];
  tags: string[];
  path: string;
  bytes: number;
  lines: number;
  chunks: number;
  intents: number;
  /** Ids of the indexed subagents. */
  subagents?: string[];
  /** SHA-256 digests (hex) of the transcript's parts. */
  parts: string[];
}

export function sessionPoint(identity: SessionIdentity, facts: SessionFacts): Point<SessionPayload> {
  const { draft } = facts;
  const payload: SessionPayload = {
    type: 'session',
    ...identity,
    working_directory: draft.workingDirectory ?? '',
    branch: draft.branch,
    ...titleOfDraft(draft),
    started_at: draft.startedAt,
    ended_at: draft.endedAt,
    message_count: draft.userMessages + draft.assistantMessages,
    user_messages: draft.userMessages,
    assistant_messages: draft.assistantMessages,
    tool_calls: draft.toolCalls,
    inherited_messages: draft.inheritedMessages,
    files_touched: draft.files,
    languages: draft.languages,
    commits: draft.commits,
    outcome: outcomeOf(draft),
    parent: parentOf(draft, identity),
    continued_in: draft.continuedIn,
    continued_before: draft.continuedBefore,
    markers: facts.markers,
    tags: facts.tags,
    model: draft.model,
    agent_version: draft.agentVersion,
    jsonl_path: facts.path,
    bytes: facts.bytes,
    line_count: facts.lines,
    chunk_count: facts.chunks,
    intent_count: facts.intents,
    subagents: facts.subagents,
    rewound_turns: draft.rewound,
    content_hash: transcriptHash(facts.parts),
  };
  return { id: pointId(identity.session_id, 'session'), payload };
}

/** `sha256:` over the digests of a transcript's 1 MiB parts, so that an append rehashes only the last part. */
export function transcriptHash(parts: string[]): string {
  const hash = nodeCrypto().createHash('sha256');
  for (const part of parts) hash.update(Buffer.from(part, 'hex'));
  return `sha256:${hash.digest('hex')}`;
}

/** A copied plan may name the session itself. */
function parentOf({ parentId }: SessionDraft, { session_id }: SessionIdentity): SessionPayload['parent'] {
  return parentId === null || parentId === session_id ? null : { session_id: parentId };
}
