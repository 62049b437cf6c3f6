import type { Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import {
  isMemory,
  type MemoryPayload,
  type PassagePayload,
  type Point,
  type SessionPayload,
  type TextPayload,
} from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { commitStarts } from '../../domain/session/commit-hash.ts';
import type { IdeaKind } from '../../domain/session/ideas.ts';
import type { Marker } from '../../domain/session/session.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { filePlaces, opaque } from './seal-filter.ts';
import type { Sealer } from './sealer.ts';

/** The field of a sealed point with the original payload as sealed JSON. */
interface Sealed {
  sealed: string;
}

/** Placeholders for fields that must not reveal anything. */
const NOTHING = {
  repo_path: '',
  working_directory: '',
  title: '',
  title_source: 'none',
  message_count: 0,
  user_messages: 0,
  assistant_messages: 0,
  tool_calls: 0,
  inherited_messages: 0,
  outcome: 'empty',
  parent: null,
  model: null,
  agent_version: null,
  jsonl_path: '',
  bytes: 0,
  line_count: 0,
  chunk_count: 0,
  intent_count: 0,
} satisfies Partial<SessionPayload>;

/** A session in the form the store may see. Tags are sealed separately, because they change separately. */
export function sealSession(
  sealer: Sealer,
  { id, payload }: Point<SessionPayload>,
): Point<SessionPayload & Sealed> {
  const { tags, archived: _, ...record } = payload;
  return {
    id,
    payload: {
      type: 'session',
      ...NOTHING,
      ...commonFields(sealer, payload),
      branch: payload.branch === null ? null : sealer.sealName('branch', payload.branch),
      started_at: payload.started_at,
      ended_at: payload.ended_at,
      files_touched: filePlaces(payload.files_touched)
        .map((place) => sealer.hashName('file', place))
        .sort(),
      languages: payload.languages?.map((language) => sealer.hashName('language', language)).sort(),
      commits: payload.commits
        .flatMap(commitStarts)
        .map((start) => ({ hash: sealer.hashName('commit', start), subject: '' })),
      tags: sealTags(sealer, tags),
      content_hash: sealer.sealHash(id, payload.content_hash),
      sealed: sealer.sealText(JSON.stringify(record), id),
    },
  };
}

export function unsealSession(sealer: Sealer, stored: SessionPayload): SessionPayload {
  const id = pointId(stored.session_id, 'session');
  // `sealSession` sealed this type.
  const record = JSON.parse(sealer.openText(sealedOf(stored), id)) as Omit<SessionPayload, 'tags'>;
  const tags = stored.tags.map((tag) => sealer.openName('tag', tag));
  return { ...record, tags, archived: stored.archived || record.archived };
}

export function sealTags(sealer: Sealer, tags: string[]): string[] {
  return tags.map((tag) => sealer.sealName('tag', tag));
}

export function sealText(sealer: Sealer, { id, payload }: Point<TextPayload>): Point<TextPayload & Sealed> {
  const shared = {
    ...commonFields(sealer, payload),
    timestamp: null,
    ended_at: payload.ended_at,
    content_hash: sealer.sealHash(id, payload.content_hash),
    chunk_index: payload.chunk_index,
    sealed: sealer.sealText(JSON.stringify(payload), id),
  };
  if (isMemory(payload)) return { id, payload: { ...sealMemory(sealer, payload), ...shared } };
  return { id, payload: { ...sealPassage(payload), ...shared } };
}

function sealPassage({ type }: PassagePayload) {
  return type === 'intent'
    ? ({ type, intent_text: '' } as const)
    : ({ type, content: '', overlap: 0, turn: 0 } as const);
}

/** Kinds and entities can still be counted. Whether an idea is open is not hidden. */
function sealMemory(sealer: Sealer, payload: MemoryPayload) {
  const entities = payload.entities.map((entity) => sealer.sealName('entity', entity)).sort();
  const { type } = payload;
  if (type === 'span') {
    const lines = { first_turn: 0, last_turn: 0, first_line: 0, last_line: 0 };
    const nothing = { parent: null, depth: 0, name: '', summary: '', branch: null, files: [], commits: [] };
    return { type, ...nothing, ...lines, entities };
  }
  const place = { span: 0, turn: 0, line: 0, quote: '', relations: [] };
  return {
    type,
    ...place,
    kind: opaque<IdeaKind>(sealer.sealName('kind', payload.kind)),
    is_open: payload.is_open,
    content: '',
    confidence: 0,
    evidence: 'marker' as const,
    origin: 'transcript' as const,
    entities,
  };
}

/** @param id the point's id, if the store returned it: the text must have been sealed for this id. */
export function unsealText<T extends TextPayload>(
  sealer: Sealer,
  stored: T,
  id = pointId(stored.session_id, stored.type, stored.chunk_index),
): T {
  // `sealText` sealed this type for this point.
  return JSON.parse(sealer.openText(sealedOf(stored), id)) as T;
}

function commonFields(sealer: Sealer, payload: SessionPayload | TextPayload) {
  const { session_id, agent, machine, repo_id, repo_key, repo_name, markers } = payload;
  const folded = (field: string, value: string) => sealer.hashName(field, value.toLowerCase());
  return {
    session_id,
    agent: opaque<Agent>(sealer.sealName('agent', agent)),
    machine: sealer.sealName('machine', machine),
    repo_id: folded('repo_id', repo_id),
    repo_key: repo_key === null ? null : folded('repo_key', repo_key),
    repo_name: folded('repo_name', repo_name),
    markers: markers.map((marker) => opaque<Marker>(sealer.hashName('marker', marker))),
  };
}

function sealedOf(stored: SessionPayload | TextPayload): string {
  if ('sealed' in stored && typeof stored.sealed === 'string') return stored.sealed;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `a ${stored.type} point of session ${stored.session_id} is not sealed, but the store is`,
    {
      hint: `A program without encryption wrote it. Remove the session, then index it again: smart-fork forget ${idToType(stored.session_id)}`,
    },
  );
}
