import type { ServerLayout, ServerState } from '../../domain/server-state.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { bytes, count, plural, timeAgo } from '../../domain/text/time-text.ts';

/** The server and the outbox, as labelled lines. */
export function serverFacts(state: ServerState, nowMs: number): [string, string][] {
  const { address, collection, problem, outbox } = state;
  const lines: [string, string][] = [['Server', `${address}, ${collection}: ${contentOf(state)}`]];
  if (state.layout !== null) lines.push(['', layoutLine(state.layout)]);
  const since = outbox.since === null ? '' : `, the oldest since ${timeAgo(outbox.since, nowMs)}`;
  const failing = outbox.failing > 0 ? `, ${count(outbox.failing)} of them refused` : '';
  lines.push([
    'Outbox',
    outbox.waiting === 0 ? 'empty' : `${plural(outbox.waiting, 'session')} not sent yet${failing}${since}`,
  ]);
  if (problem !== null) lines.push(['', problemLine(problem)]);
  if (state.embedding !== null) lines.push(['Embedded by', `the server, with ${state.embedding.model}`]);
  if (state.embedding?.problem) lines.push(['', problemLine(state.embedding.problem)]);
  return lines;
}

function contentOf({ version, sessions, bytes: size, missing, problem }: ServerState): string {
  if (missing) return 'the collection does not exist yet (smart-fork index creates it)';
  if (sessions === null) return problem === null ? 'not queried' : 'unavailable';
  return `Qdrant ${version ?? 'of unknown version'}, ${plural(sessions, 'session')}, about ${bytes(size ?? 0)}`;
}

function layoutLine({ shards, replicas, unavailable }: ServerLayout): string {
  const spread = `${plural(shards, 'shard')}, ${replicas === 1 ? 'one copy each' : `${replicas} copies each`}`;
  if (unavailable.length === 0) return spread;
  return `${spread}; no node answers for ${unavailable.length === 1 ? 'shard' : 'shards'} ${unavailable.join(', ')}: the server cannot be searched`;
}

function problemLine({ message, hint }: NonNullable<ServerState['problem']>): string {
  return sanitizeLine(hint === null ? message : `${message}: ${hint}`);
}
