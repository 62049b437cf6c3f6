import { shownRecord } from '../../domain/json/shown-record.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { chainQuality, forkSucceeded, type SessionOutcome } from '../../domain/search/chain-quality.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { SessionRecord } from '../../domain/session/session.ts';
import { nativeId } from '../../domain/session/session-id.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { Marks } from '../../domain/tags/marks.ts';
import type { ForkChoice } from '../../ports/fork-journal.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import { eachSession, type PointStore } from '../../ports/point-store.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

/** Sessions by id, the forks of each, and the parent of each. A session that the agent continued in another one is its parent. */
export interface ForkLinks {
  sessions: Map<string, SessionPayload>;
  forks: Map<string, SessionPayload[]>;
  parents: Map<string, string>;
}

export interface ForkTree {
  session_id: string;
  /** Null for a parent that is not indexed, and for a fork made on this machine that is not indexed yet. */
  session: (SessionRecord & Marks) | null;
  /** Whether the fork succeeded; null for a session that is not a fork, and for an unused copy. */
  succeeded: boolean | null;
  /** 0 to 1; null if unknown. */
  quality: number | null;
  forks: ForkTree[];
}

/** A user waits, and the sessions may be on a server: 500 a request. */
const MAX_LINKED = 10_000;
/** The sessions of more repositories are read together. */
const MAX_REPOS = 4;

/** Reads which session was forked from which, among the newest MAX_LINKED. */
export async function readForkLinks(store: PointStore, filter: SessionFilter = {}): Promise<ForkLinks> {
  const links: ForkLinks = { sessions: new Map(), forks: new Map(), parents: new Map() };
  for await (const session of eachSession(store, filter, MAX_LINKED))
    links.sessions.set(session.session_id, session);
  for (const { session_id, continued_in, continued_before = [] } of links.sessions.values())
    for (const next of [...continued_before, continued_in ?? []].flat())
      if (next !== session_id) links.parents.set(next, session_id);
  for (const { session_id, parent } of links.sessions.values())
    if (parent !== null) links.parents.set(session_id, parent.session_id);
  for (const [id, parent] of links.parents) {
    const session = links.sessions.get(id);
    if (session !== undefined) links.forks.set(parent, [...(links.forks.get(parent) ?? []), session]);
  }
  return links;
}

/** The indexed forks of a session, newest first. They are in its repository and not older than the session. */
export async function findForks(store: PointStore, session: SessionPayload): Promise<SessionPayload[]> {
  const { session_id, repo_id, repo_key, started_at } = session;
  const filter = {
    repo: { repo_id, repo_key: repo_key ?? undefined },
    since: started_at ?? undefined,
  };
  const forks: SessionPayload[] = [];
  for await (const one of eachSession(store, filter, MAX_LINKED))
    if (one.parent?.session_id === session_id) forks.push(one);
  return tellApart(forks);
}

/**
 * The whole tree of a session, starting at its oldest known ancestor; oldest forks first, and behind them those of `made` that are not
 * indexed yet.
 */
export function forkTree(
  deps: { sources: TranscriptSource[]; machine: ThisMachine },
  links: ForkLinks,
  sessionId: string,
  made: ForkChoice[] = [],
): ForkTree {
  const root = rootOf(links, sessionId);
  const family = new Map(tellApart(familyOf(links, root)).map((one) => [one.session_id, one]));
  const seen = new Set<string>();
  const grow = (id: string): ForkTree => {
    seen.add(id);
    const session = family.get(id) ?? null;
    const children = (links.forks.get(id) ?? [])
      .filter(({ session_id }) => !seen.has(session_id))
      .sort((a, b) => ((a.ended_at ?? '') < (b.ended_at ?? '') ? -1 : 1));
    const outcome = session && outcomeOf(deps, session);
    return {
      session_id: id,
      session: session && shownRecord(session),
      succeeded: outcome && session?.parent && wasUsed(session) ? forkSucceeded(outcome) : null,
      quality:
        outcome &&
        chainQuality(
          outcome,
          children.filter(wasUsed).map((child) => outcomeOf(deps, child)),
        ),
      forks: [...children.map(({ session_id }) => session_id), ...notIndexed(links, made, id)]
        .filter((fork) => !seen.has(fork))
        .map(grow),
    };
  };
  return grow(root);
}

/** The sessions that forks of a session led to and that are not indexed, oldest first. */
function notIndexed({ sessions }: ForkLinks, made: ForkChoice[], id: string): string[] {
  return made
    .flatMap(({ sessionId, resultSessionId: result }) => (sessionId === id && result !== null ? result : []))
    .filter((result) => !sessions.has(result))
    .reverse();
}

/** For each of these sessions that has forks, the share that succeeded. Forks are in its repository and not older. */
export async function chainQualities(
  deps: { store: PointStore; sources: TranscriptSource[]; machine: ThisMachine },
  sessions: SessionPayload[],
): Promise<Map<string, number>> {
  const repos = new Map(sessions.map(({ repo_id, repo_key }) => [repo_id, repo_key ?? undefined]));
  const starts = sessions.map(({ started_at }) => started_at ?? '').sort();
  const since = starts[0] || undefined;
  const filters =
    repos.size > MAX_REPOS
      ? [{ since }]
      : [...repos].map(([repo_id, repo_key]) => ({ repo: { repo_id, repo_key }, since }));
  const read = await Promise.all(filters.map((filter) => readForkLinks(deps.store, filter)));
  return new Map(
    sessions.flatMap(({ session_id: id }): [string, number][] => {
      const forks = read.find((links) => links.forks.has(id))?.forks.get(id) ?? [];
      const used = forks.filter(wasUsed).map((fork) => outcomeOf(deps, fork));
      return used.length === 0 ? [] : [[id, used.filter(forkSucceeded).length / used.length]];
    }),
  );
}

/** All sessions below one that are indexed, and itself. */
function familyOf({ sessions, forks }: ForkLinks, root: string): SessionPayload[] {
  const family = new Map<string, SessionPayload>();
  const add = (session: SessionPayload | undefined) => {
    if (session !== undefined) family.set(session.session_id, session);
  };
  add(sessions.get(root));
  const ids = new Set([root]);
  // A set grows while it is read, and holds each id once, so a cycle ends.
  for (const id of ids)
    for (const fork of forks.get(id) ?? []) {
      ids.add(fork.session_id);
      add(fork);
    }
  return [...family.values()];
}

/** The ids of all sessions in a tree. */
export function treeIds({ session_id, forks }: ForkTree): string[] {
  return [session_id, ...forks.flatMap(treeIds)];
}

/** Older versions indexed copies that had never been resumed. These say nothing about the original. */
function wasUsed(session: SessionPayload): boolean {
  return session.message_count > 0;
}

function rootOf(links: ForkLinks, sessionId: string): string {
  const seen = new Set<string>();
  let at = sessionId;
  for (;;) {
    seen.add(at);
    const parent = links.parents.get(at);
    if (parent === undefined || seen.has(parent)) return at;
    at = parent;
  }
}

/** Reads the ending from the transcript if it is on this machine. */
function outcomeOf(
  { sources, machine }: { sources: TranscriptSource[]; machine: ThisMachine },
  session: SessionPayload,
): SessionOutcome {
  const source = sources.find(({ agent }) => agent === session.agent);
  const found = session.machine === machine.name ? (source?.inspect(session.jsonl_path) ?? null) : null;
  const here = found?.sessionId === nativeId(session.session_id) ? found : null;
  const ending = here === null ? null : (source?.facts?.ending?.(here.path) ?? null);
  return {
    outcome: session.outcome,
    messageCount: session.message_count,
    answered: ending?.answered ?? null,
    tests: ending?.tests ?? null,
  };
}
