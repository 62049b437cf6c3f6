import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { commitStart, hashIn, isSameCommit } from '../../domain/session/commit-hash.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { SessionCard } from '../../domain/summary.ts';
import type { CommitFacts } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { sessionsNaming } from '../search/look-up/sessions-naming.ts';
import { type LocateDependencies, locateSession } from '../sessions/locate-session.ts';
import { toSessionCard } from '../sessions/session-card.ts';

/**
 * Why a session is considered the maker of a commit: git reported the commit in it (`hash`), it made a commit with the same subject that
 * was rebased (`subject`), it names the commit, as after a merge on a server (`named`), or it changed files at the time of the commit
 * (`time`). Most likely first.
 */
type MadeBy = 'hash' | 'subject' | 'named' | 'time';

export interface Maker extends SessionCard {
  by: MadeBy;
  /** The hash for which the session amended or rebased the commit, empty if git did not print it; absent if it did not. */
  replaced_by?: string | undefined;
  fork_command: string;
}

export interface FindMakersDependencies extends LocateDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

/** A commit. Without git, only its hash is known, and its subject if a session recorded it. */
export type KnownCommit = CommitFacts | { hash: string; subject: string | null; time: null };

interface WhereMade {
  /** The repository; null: any. */
  repo: NonNullable<SessionFilter['repo']> | null;
  /** A file changed by the commit. */
  file?: string;
}

const MAX_EXACT = 20;
const MAX_AROUND = 200;
const MAX_NAMING = 5;
const MAX_BY_TIME = 3;
const DAY_MS = 86_400_000;
/** People may commit some time after the session's last line. */
const LEEWAY_MS = 3_600_000;

/** The sessions that may have made a commit, most likely first. */
export async function findMakers(
  deps: FindMakersDependencies,
  commit: KnownCommit,
  where: WhereMade,
): Promise<Maker[]> {
  const { hash, subject, time } = commit;
  const exact = (await deps.store.list({ commit: commitStart(hash) }, MAX_EXACT)).sessions.filter(
    ({ commits }) => commits.some((one) => hashIn(one, hash) !== undefined),
  );
  if (exact.length > 0)
    return makersOf(deps, exact, 'hash').map((maker, at) => ({
      ...maker,
      replaced_by: replacement(exact[at], hash),
    }));
  if (time === null || where.repo === null) return makersOf(deps, await naming(deps, hash), 'named');
  const at = Date.parse(time);
  const around = { since: iso(at - DAY_MS), until: iso(at + DAY_MS) };
  const { sessions } = await deps.store.list({ repo: where.repo, ...around }, MAX_AROUND);
  const same = sessions.filter(({ commits }) => commits.some((one) => one.subject === subject));
  if (same.length > 0) return makersOf(deps, same, 'subject');
  const named = await naming(deps, hash);
  if (named.length > 0) return makersOf(deps, named, 'named');
  return makersOf(deps, activeAt(sessions, at, where.file).slice(0, MAX_BY_TIME), 'time');
}

function replacement(session: SessionPayload | undefined, wanted: string): string | undefined {
  const commit = session?.commits.find((one) => hashIn(one, wanted) !== undefined);
  return commit === undefined || isSameCommit(commit.hash, wanted) ? undefined : commit.hash;
}

async function naming(deps: FindMakersDependencies, hash: string): Promise<SessionPayload[]> {
  const sessionIds = await sessionsNaming(deps, hash);
  return sessionIds.length === 0 ? [] : (await deps.store.list({ sessionIds }, MAX_NAMING)).sessions;
}

/** Sessions that changed the file, or any file, and were active at the time or had just ended. Those that ended closest to it come first. */
function activeAt(sessions: SessionPayload[], at: number, file: string | undefined): SessionPayload[] {
  const end = ({ ended_at }: SessionPayload) => Date.parse(ended_at ?? '');
  return sessions
    .filter(({ files_touched }) =>
      file === undefined ? files_touched.length > 0 : files_touched.some((one) => endsWithName(one, file)),
    )
    .filter((session) => Date.parse(session.started_at ?? '') <= at && at <= end(session) + LEEWAY_MS)
    .sort((a, b) => Math.abs(end(a) - at) - Math.abs(end(b) - at));
}

/** Compares only file names, because clones are in different folders. */
function endsWithName(path: string, file: string): boolean {
  return path.replaceAll('\\', '/').split('/').at(-1) === file.replaceAll('\\', '/').split('/').at(-1);
}

export function makersOf(deps: LocateDependencies, sessions: SessionPayload[], by: MadeBy): Maker[] {
  return tellApart(sessions).map((session) => {
    const location = locateSession(deps, session);
    return { ...toSessionCard(session, location), by, fork_command: location.command };
  });
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
