import { createHash } from 'node:crypto';
import { lexicalText } from '../../../src/domain/point/chunking.ts';
import type { ChunkPayload, IntentPayload, SessionPayload } from '../../../src/domain/point/point.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { ideaPoint, spanPoint } from '../../../src/domain/point/session-points.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import type { Idea, Span } from '../../../src/domain/session/ideas.ts';
import { repoId } from '../../../src/domain/session/repository.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import { lexicalTokens, type SessionChange, type TextPointChange } from '../../../src/ports/point-store.ts';

/** What a test specifies about a session; the rest is generated, always in the same way. */
export interface Sample {
  id: string;
  chunks?: string[];
  intents?: string[];
  /** Their times default to the session's end. */
  ideas?: Partial<Idea>[];
  spans?: Partial<Span>[];
  /** When each chunk (and the intent with the same index) ended; defaults to the session's end. */
  times?: (string | null)[];
  record?: Partial<SessionPayload>;
}

export const SAMPLE_MODEL = { id: 'test/model', dimensions: 8 };
export const SAMPLE_CHUNKING = '1:60-200-250/50';

const tokenizer = createLexicalTokenizer();

/** The change that stores a whole sample. */
export function changeOf(sample: Sample, expected: string | null = null): SessionChange {
  const payload = sessionPayload(sample);
  const upserts = [
    ...(sample.intents ?? []).map((_, index) => intentChange(sample, index)),
    ...(sample.chunks ?? []).map((_, index) => chunkChange(sample, index)),
  ];
  const tokens = upserts.map((upsert) => upsert.tokens ?? '').join('');
  const { session_id, agent, machine, repo_id, repo_key, repo_name, repo_path } = payload;
  const identity = { session_id, agent, machine, repo_id, repo_key, repo_name, repo_path };
  const memories = [
    ...(sample.ideas ?? []).map((idea, index) => ideaPoint(identity, sampleIdea(payload, index, idea))),
    ...(sample.spans ?? []).map((span, index) => spanPoint(identity, sampleSpan(payload, index, span))),
  ].map((point) => ({ point, tokens: lexicalTokens(point.payload, tokenizer) }));
  return {
    session: { id: pointId(sample.id, 'session'), payload },
    upserts: [...upserts, ...memories],
    deletes: [],
    expected,
    tokens,
  };
}

function sampleIdea({ ended_at }: SessionPayload, index: number, idea: Partial<Idea>): Idea {
  const content = idea.content ?? `Idea ${index}`;
  return {
    index,
    kind: 'decision',
    content,
    confidence: 0.9,
    isOpen: null,
    span: 0,
    turn: index,
    line: index,
    quote: content,
    evidence: 'choice',
    origin: 'transcript',
    entities: [],
    relations: [],
    timestamp: ended_at,
    ...idea,
  };
}

function sampleSpan({ started_at, ended_at }: SessionPayload, index: number, span: Partial<Span>): Span {
  return {
    index,
    parent: null,
    depth: 0,
    name: `Topic ${index}`,
    summary: '',
    firstTurn: index,
    lastTurn: index,
    firstLine: index,
    lastLine: index,
    started_at,
    ended_at,
    branch: null,
    files: [],
    commits: [],
    entities: [],
    ...span,
  };
}

/** The change from one state of a session to a later one: upserts differences and deletes what is gone. */
export function growth(before: Sample, after: Sample): SessionChange {
  const old = changeOf(before);
  const whole = changeOf(after, old.session.payload.content_hash);
  const known = new Map(old.upserts.map(({ point }) => [point.id, point.payload.content_hash]));
  const present = new Set(whole.upserts.map(({ point }) => point.id));
  return {
    ...whole,
    upserts: whole.upserts.filter(({ point }) => known.get(point.id) !== point.payload.content_hash),
    deletes: [...known.keys()].filter((id) => !present.has(id)),
    tokens: null,
  };
}

export function sessionPayload(sample: Sample): SessionPayload {
  const { id, chunks = [], intents = [], times = [], record } = sample;
  const { ideas, spans } = sample;
  const content_hash = sha256(JSON.stringify([id, chunks, intents, times, record, ideas, spans]));
  return { content_hash, ...unhashed(sample), ...record };
}

function unhashed({ id, chunks = [], intents = [], record }: Sample): Omit<SessionPayload, 'content_hash'> {
  const path = record?.repo_path ?? '/home/ada/code/engine';
  return {
    type: 'session',
    session_id: id,
    agent: 'claude',
    machine: 'atlas',
    repo_id: repoId(path),
    repo_key: 'github.com/ada/engine',
    repo_name: 'engine',
    repo_path: path,
    working_directory: path,
    branch: 'main',
    title: `Session ${id}`,
    title_source: 'prompt',
    started_at: '2026-05-01T09:00:00.000Z',
    ended_at: '2026-05-01T10:00:00.000Z',
    message_count: 2,
    user_messages: 1,
    assistant_messages: 1,
    tool_calls: 0,
    inherited_messages: 0,
    files_touched: [],
    commits: [],
    outcome: 'discussed',
    parent: null,
    markers: [],
    tags: [],
    model: null,
    agent_version: null,
    jsonl_path: `${path}/${id}.jsonl`,
    bytes: 1000,
    line_count: 10,
    chunk_count: chunks.length,
    intent_count: intents.length,
    ...record,
  };
}

function chunkChange(sample: Sample, index: number): TextPointChange {
  const content = sample.chunks?.[index] ?? '';
  const payload: ChunkPayload = {
    type: 'chunk',
    ...commonOf(sample, index),
    content_hash: sha256(content),
    chunk_index: index,
    content,
    overlap: 0,
    turn: index,
  };
  return {
    point: { id: pointId(sample.id, 'chunk', index), payload },
    tokens: tokenizer.stream(lexicalText(payload)),
  };
}

function intentChange(sample: Sample, index: number): TextPointChange {
  const text = sample.intents?.[index] ?? '';
  const payload: IntentPayload = {
    type: 'intent',
    ...commonOf(sample, index),
    content_hash: sha256(text),
    chunk_index: index,
    intent_text: text,
  };
  return { point: { id: pointId(sample.id, 'intent', index), payload }, tokens: null };
}

export function tokensOf(text: string): string[] {
  return tokenizer.tokens(text);
}

/** A unit vector derived only from the text. */
export function vectorOf(text: string, dimensions = SAMPLE_MODEL.dimensions): Float32Array {
  const digest = createHash('sha256').update(text.toWellFormed()).digest();
  return unit(...Array.from({ length: dimensions }, (_, at) => digest.readUInt8(at) - 127.5));
}

export function unit(...values: number[]): Float32Array {
  const norm = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / norm);
}

function commonOf(sample: Sample, index: number) {
  const session = unhashed(sample);
  const { session_id, agent, machine, repo_id, repo_key, repo_name } = session;
  const time = sample.times?.[index];
  const ended = time === undefined ? session.ended_at : time;
  return {
    session_id,
    agent,
    machine,
    repo_id,
    repo_key,
    repo_name,
    timestamp: ended,
    ended_at: ended,
    markers: [],
  };
}
