import type { Agent } from '../../domain/agent/agents.ts';
import type { MemoryFilter } from '../../domain/memory/memory-search.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { commitStart } from '../../domain/session/commit-hash.ts';
import type { IdeaKind } from '../../domain/session/ideas.ts';
import type { Marker } from '../../domain/session/session.ts';
import type { Sealer } from './sealer.ts';

/** The filter for fields sealed by `seal-payload.ts`. */
export function sealFilter(sealer: Sealer, filter: SessionFilter): SessionFilter {
  const { repo, agent, machine, branch, tag, marks, marker, lang, file, commit } = filter;
  return {
    ...filter,
    repo: repo && sealRepo(sealer, repo),
    agent: agent && opaque<Agent>(sealer.sealName('agent', agent)),
    machine: machine && sealer.sealName('machine', machine),
    branch: branch && sealer.sealName('branch', branch),
    tag: tag && sealer.sealName('tag', tag),
    marks: marks?.map((mark) => sealer.sealName('tag', mark)),
    marker: marker && opaque<Marker>(sealer.hashName('marker', marker)),
    lang: lang && sealer.hashName('language', lang),
    commit: commit && sealer.hashName('commit', commitStart(commit)),
    file: file && sealer.hashName('file', slashed(file).replace(/^(?:\.?\/)+/, '')),
  };
}

export function sealMemoryFilter(sealer: Sealer, filter: MemoryFilter): MemoryFilter {
  const { sessions, kinds, entities } = filter;
  return {
    ...filter,
    sessions: sessions && sealFilter(sealer, sessions),
    kinds: kinds?.map((kind) => opaque<IdeaKind>(sealer.sealName('kind', kind))),
    entities: entities?.map((entity) => sealer.sealName('entity', entity)),
  };
}

/**
 * Every suffix of each path in whole components, which is all that a file filter can match. Suffixes are compared as whole strings, so
 * the store need not know about folders.
 */
export function filePlaces(paths: string[]): string[] {
  const places = paths.flatMap((path) => {
    const parts = slashed(path).split('/');
    return parts.map((_, from) => parts.slice(from).join('/'));
  });
  return [...new Set(places)];
}

/** In lower case, because stores ignore the case of these fields. */
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

/** Casts a sealed word to the type of the plain one: stores compare it, but never read it. */
export function opaque<Word extends string>(sealed: string): Word {
  return sealed as Word;
}
