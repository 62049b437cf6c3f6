import type { Damage } from '../../../domain/damage.ts';
import { SmartForkError } from '../../../domain/errors.ts';
import type { PointRecord, QueryRequest, ScoredPoint } from '../types.ts';
import type { PayloadSelection, Reads } from './reads.ts';
import { AnswerTooLongError } from './retry.ts';

/**
 * Keeps one huge point from spoiling a read: if an answer exceeds the limit, the points are requested again without payloads, and then
 * the payloads in smaller and smaller parts. A single point that is too long is left out and recorded as damage.
 */
export function readInParts(reads: Reads, damage: Damage): Reads {
  /** Rejects if even an answer without payloads is too long, which smaller parts would not change. */
  const retrieve: Reads['retrieve'] = async (ids, ...what) =>
    unlessTooLong(reads.retrieve(ids, ...what), async () => {
      await reads.retrieve(ids, false);
      return retrieveHalves(reads, damage, ids, what);
    });
  return {
    ...reads,
    retrieve,
    scroll: (body) =>
      unlessTooLong(reads.scroll(body), async () => {
        const { points, next } = await reads.scroll({ ...body, with_payload: false, with_vector: false });
        const ids = points.map(({ id }) => String(id));
        const whole = await retrieve(ids, selectionOf(body), vectorsOf(body));
        return { points: inOrder(ids, whole), next };
      }),
    queryBatch: (searches) =>
      unlessTooLong(reads.queryBatch(searches), async () => {
        const bare = await reads.queryBatch(
          searches.map((search) => ({ ...search, with_payload: false, with_vector: false })),
        );
        const hits: ScoredPoint[][] = [];
        for (const [at, found] of bare.entries()) hits.push(await filled(found, searches[at]));
        return hits;
      }),
  };

  async function filled(found: ScoredPoint[], search: QueryRequest | undefined): Promise<ScoredPoint[]> {
    if (search === undefined || selectionOf(search) === false) return found;
    const ids = found.map(({ id }) => String(id));
    const whole = new Map((await retrieve(ids, selectionOf(search))).map((point) => [point.id, point]));
    return found.flatMap((hit) => {
      const point = whole.get(hit.id);
      return point === undefined ? [] : { ...hit, payload: point.payload ?? null };
    });
  }
}

async function retrieveHalves(
  reads: Reads,
  damage: Damage,
  ids: string[],
  what: [PayloadSelection, string[]?],
): Promise<PointRecord[]> {
  const [first] = ids;
  if (first === undefined) return [];
  if (ids.length === 1) {
    damage.note(await sessionOf(reads, first));
    return [];
  }
  const middle = Math.ceil(ids.length / 2);
  const found: PointRecord[] = [];
  for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
    const points = unlessTooLong(reads.retrieve(half, ...what), () =>
      retrieveHalves(reads, damage, half, what),
    );
    found.push(...(await points));
  }
  return found;
}

/** Undefined if that field is too long as well. */
async function sessionOf(reads: Reads, id: string): Promise<unknown> {
  const [point] = await unlessTooLong(reads.retrieve([id], ['session_id']), async () => []);
  return point?.payload?.session_id;
}

async function unlessTooLong<T>(answer: Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SmartForkError && error.cause instanceof AnswerTooLongError) return otherwise();
    throw error;
  }
}

function inOrder(ids: string[], points: PointRecord[]): PointRecord[] {
  const byId = new Map(points.map((point) => [String(point.id), point]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

type Asking = Pick<QueryRequest, 'with_payload' | 'with_vector'>;

function selectionOf({ with_payload }: Asking): PayloadSelection {
  return (with_payload ?? false) as PayloadSelection;
}

function vectorsOf({ with_vector }: Asking): string[] | undefined {
  return Array.isArray(with_vector) ? with_vector : undefined;
}
