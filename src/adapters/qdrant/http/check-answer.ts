import { isRecord } from '../../../domain/is-record.ts';
import type { PointRecord, Schemas, ScoredPoint } from '../types.ts';
import { QdrantAnswerError } from './retry.ts';

// A server that answers need not be Qdrant. These functions ensure that an answer has the requested shape; the contents of payloads
// are checked by domain/point/read-payload.ts.

/** @param most maximum number of points, as requested. */
export function pointsIn(answer: unknown, most: number): PointRecord[] {
  if (!Array.isArray(answer) || !answer.every(isPoint)) throw unexpected('a list of points');
  if (answer.length > most) throw unexpected(`at most ${most} points`);
  return answer;
}

export interface Page {
  points: PointRecord[];
  /** Where the next page begins; null after the last one. */
  next: Offset | null;
}

type Offset = string | number;

/** Requires ascending ids: otherwise a server that repeats itself would have no last page. */
export function pageIn(answer: unknown, { limit, offset }: Schemas['ScrollRequest']): Page {
  if (!isRecord(answer)) throw unexpected('a page of points');
  // A point with several values in the sort field appears once for each.
  const points = [
    ...new Map(pointsIn(answer.points, limit ?? 10).map((point) => [point.id, point])).values(),
  ];
  const { next_page_offset: next } = answer;
  if (typeof next !== 'string' && typeof next !== 'number') return { points, next: null };
  const isLater = typeof offset !== typeof next || next > (offset as Offset);
  if (points.length === 0 || !isLater) throw unexpected('the next page of points');
  return { points, next };
}

/** @param mosts the same for each search. */
export function hitsIn(answer: unknown, mosts: number[]): ScoredPoint[][] {
  if (!Array.isArray(answer) || answer.length !== mosts.length)
    throw unexpected(`the answers to ${mosts.length} searches`);
  return answer.map((one: unknown, at) => {
    const points = pointsIn(isRecord(one) ? one.points : null, mosts[at] ?? 0);
    if (!points.every(isScored)) throw unexpected('points with a score');
    return points;
  });
}

export function countIn(answer: unknown): number {
  if (isRecord(answer) && isCount(answer.count)) return answer.count;
  throw unexpected('a count');
}

export function facetsIn(answer: unknown): { value: string; count: number }[] {
  const hits: unknown = isRecord(answer) ? answer.hits : null;
  if (!Array.isArray(hits)) throw unexpected('a list of values');
  return hits.flatMap((hit: unknown) => {
    if (!isRecord(hit) || !isCount(hit.count)) throw unexpected('a list of values');
    const { value, count } = hit;
    // Values of other types, written by another program, are ignored.
    return typeof value === 'string' ? { value, count } : [];
  });
}

/** Contains only what smart-fork reads. */
export function infoIn(answer: unknown): Schemas['CollectionInfo'] {
  const config = isRecord(answer) ? answer.config : null;
  const isInfo =
    isRecord(answer) && isRecord(config) && isRecord(config.params) && isRecord(answer.payload_schema);
  if (!isInfo) throw unexpected('the description of a collection');
  return answer as unknown as Schemas['CollectionInfo'];
}

/** Thrown like a server's error, so that a search continues with this machine's sessions. */
export function unexpected(expected: string): QdrantAnswerError {
  return new QdrantAnswerError(200, `expected ${expected}`, null);
}

function isPoint(value: unknown): value is PointRecord {
  if (!isRecord(value)) return false;
  const { id, payload } = value;
  return (typeof id === 'string' || typeof id === 'number') && (payload == null || isRecord(payload));
}

function isScored(point: PointRecord): point is ScoredPoint {
  return 'score' in point && typeof point.score === 'number';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
