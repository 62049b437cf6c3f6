import { Refusal } from './answer.ts';
import { compareIds, type PointId } from './points.ts';

/** How a collection's points are distributed. */
export interface Shards {
  count: number;
  of(id: PointId): number;
  /** Shards for which no node answers. */
  lost: Set<number>;
  /** A search asks every shard and fails if one is lost. @throws Refusal in the server's words */
  checkAll(): void;
  /** @throws Refusal */
  check(id: PointId): void;
  /** Among equal scores, the shards' points follow one after the other, each shard in its own order. */
  compareTies(a: PointId, b: PointId): number;
}

export function shardsOf(count: number): Shards {
  const lost = new Set<number>();
  const of = (id: PointId) => hash(String(id)) % count;
  const refuse = (shard: number) => {
    throw new Refusal(
      500,
      `Service internal error: The replica set for shard ${shard} on peer 1 does not have enough active replicas`,
    );
  };
  return {
    count,
    of,
    lost,
    checkAll: () => lost.forEach(refuse),
    check: (id) => lost.has(of(id)) && refuse(of(id)),
    compareTies: (a, b) => of(b) - of(a) || compareIds(b, a),
  };
}

function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return sum;
}
