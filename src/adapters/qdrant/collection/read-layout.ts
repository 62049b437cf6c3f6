import { isRecord } from '../../../domain/is-record.ts';
import type { ServerLayout } from '../../../domain/server-state.ts';
import type { Connection } from '../http/connection.ts';

/** How the collection is distributed over shards and copies, and which shards are unavailable. Null for one shard with one copy. */
export async function readLayout(connection: Connection): Promise<ServerLayout | null> {
  const { shard_number: shards = 1, replication_factor: replicas = 1 } = (await connection.info()).config
    .params;
  const number = (value: unknown) => (typeof value === 'number' ? value : 1);
  if (number(shards) <= 1 && number(replicas) <= 1) return null;
  const cluster = await connection.cluster();
  return { shards: number(shards), replicas: number(replicas), unavailable: unavailableIn(cluster) };
}

function unavailableIn(cluster: unknown): number[] {
  const { local_shards, remote_shards } = isRecord(cluster) ? cluster : {};
  const listed = [local_shards, remote_shards].flatMap((list) => (Array.isArray(list) ? list : []));
  const states = new Map<number, boolean>();
  for (const shard of listed) {
    if (!isRecord(shard) || typeof shard.shard_id !== 'number') continue;
    states.set(shard.shard_id, states.get(shard.shard_id) === true || shard.state === 'Active');
  }
  return [...states]
    .filter(([, isActive]) => !isActive)
    .map(([id]) => id)
    .sort((a, b) => a - b);
}
