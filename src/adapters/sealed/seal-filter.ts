import type { SessionFilter } from '../../domain/search/search.ts';
import type { Agent, Marker } from '../../domain/session/session.ts';
import { opaque } from './opaque.ts';
import type { Sealer } from './sealer.ts';

/** The same filter on what `seal-payload.ts` makes of the fields. */
export function sealFilter(sealer: Sealer, filter: SessionFilter): SessionFilter {
  const { repo, agent, machine, branch, tag, marker, file } = filter;
  return {
    ...filter,
    ...(repo && { repo: sealRepo(sealer, repo) }),
    ...(agent && { agent: opaque<Agent>(sealer.sealName('agent', agent)) }),
    ...(machine && { machine: sealer.sealName('machine', machine) }),
    ...(branch && { branch: sealer.sealName('branch', branch) }),
    ...(tag && { tag: sealer.sealName('tag', tag) }),
    ...(marker && { marker: opaque<Marker>(sealer.hashName('marker', marker)) }),
    ...(file && { file: sealer.hashName('file', slashed(file).replace(/^(?:\.?\/)+/, '')) }),
  };
}

/**
 * All that a file can be asked for by: the ends of its path, by whole parts. Each is compared as a whole, so that the store
 * needs to know nothing of folders.
 */
export function filePlaces(paths: string[]): string[] {
  const places = paths.flatMap((path) => {
    const parts = slashed(path).split('/');
    return parts.map((_, from) => parts.slice(from).join('/'));
  });
  return [...new Set(places)];
}

/** In any case, as stores compare them. */
function sealRepo(
  sealer: Sealer,
  repo: NonNullable<SessionFilter['repo']>,
): NonNullable<SessionFilter['repo']> {
  const known = Object.entries(repo).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(
    known.map(([field, value]) => [field, sealer.hashName(field, value.toLowerCase())]),
  );
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
