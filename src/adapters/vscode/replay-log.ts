import { isRecord } from '../../domain/is-record.ts';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { asList, asNumber, asRecord } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';
import { rowsOfText } from '../records/rows-of-text.ts';

/**
 * The document that a log leaves: its first record is the document (`kind` 0), the others set a value at a path (1), cut a list to `i` entries
 * and append others (2), or delete a value (3). A record that cannot be applied is counted.
 */
export function replayLog(text: string): { chat: Row; unread: SkippedLine[] } {
  const state: { chat: Row } = { chat: {} };
  const { rows, unread } = rowsOfText(text);
  for (const { line, row } of rows) if (!apply(row, state)) unread.push({ line, reason: 'no such shape' });
  return { chat: state.chat, unread };
}

/** Whether the change could be made. */
function apply(change: Row, state: { chat: Row }): boolean {
  const whole = change.kind === 0 ? asRecord(change.v) : null;
  if (whole !== null) state.chat = whole;
  const path = asList(change.k);
  const key = path.at(-1);
  if (whole !== null || key === undefined) return whole !== null;
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => childOf(value, part), state.chat);
  if (change.kind === 2) return append(parent, key, change);
  if (change.kind !== 1 && change.kind !== 3) return false;
  return put(parent, key, change.kind === 1 ? change.v : undefined);
}

function childOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isRecord(value) && typeof key === 'string' && Object.hasOwn(value, key) ? value[key] : undefined;
}

function put(parent: unknown, key: unknown, value: unknown): boolean {
  if (
    Array.isArray(parent) &&
    typeof key === 'number' &&
    Number.isInteger(key) &&
    key >= 0 &&
    key <= parent.length
  )
    parent[key] = value;
  else if (isRecord(parent) && typeof key === 'string' && key !== '__proto__') parent[key] = value;
  else return false;
  return true;
}

function append(parent: unknown, key: unknown, { v, i }: Row): boolean {
  const known = childOf(parent, key);
  const list = Array.isArray(known) ? known : [];
  const kept = asNumber(i);
  const next = [...(kept === null ? list : list.slice(0, Math.max(0, kept))), ...asList(v)];
  return (known === undefined || known === null || Array.isArray(known)) && put(parent, key, next);
}
