import type { Filter, PointRecord } from '../types.ts';
import type { PayloadSelection, Reads } from './reads.ts';

/** Every matching point, page by page. */
export async function* scrollAll(
  reads: Pick<Reads, 'scroll'>,
  filter: Filter,
  payload: PayloadSelection,
  options: { page: number; vectors?: string[] },
): AsyncGenerator<PointRecord> {
  let offset: string | number | null = null;
  do {
    const answer = await reads.scroll({
      filter,
      limit: options.page,
      with_payload: payload,
      with_vector: options.vectors ?? false,
      offset,
    });
    yield* answer.points;
    offset = answer.next;
  } while (offset !== null);
}

export async function collect(points: AsyncGenerator<PointRecord>): Promise<PointRecord[]> {
  const all: PointRecord[] = [];
  for await (const point of points) all.push(point);
  return all;
}
