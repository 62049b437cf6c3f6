import type { SessionIdeas } from '../../domain/memory/memory-result.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { IdeaKind } from '../../domain/session/ideas.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { LocateDependencies } from '../sessions/locate-session.ts';
import { type CommitDependencies, commitsSince } from './commits-since.ts';
import { distinctIdeas } from './idea-view.ts';
import { type RelatedIdeas, relatedIdeas } from './related-ideas.ts';
import { showIdeas } from './show-ideas.ts';

interface OpenRequest {
  filter?: SessionFilter;
  kinds?: IdeaKind[];
  limit: number;
}

export interface OpenIdeas {
  sessions: SessionIdeas[];
  /** Number of ideas not shown. */
  left: number;
}

export const OPEN_KINDS: IdeaKind[] = ['todo', 'question', 'problem'];
/** Maximum number of ideas to compare with each other: the newest of those that a filter finds. */
export const MAX_COMPARED = 20_000;

type Reach = CommitDependencies & { store: Pick<PointStore, 'listMemory'> };

/** Questions, problems and todos that no later idea, in their own session or another, has answered, solved or completed; newest first. */
export async function listOpen(
  deps: LocateDependencies & CommitDependencies & { store: PointStore },
  { filter = {}, kinds = OPEN_KINDS, limit }: OpenRequest,
): Promise<OpenIdeas> {
  const found = await deps.store.listMemory('idea', { sessions: filter }, MAX_COMPARED);
  const around = await ideasInReach(deps, found, filter);
  const { open, related } = openIdeas(found, { kinds, around });
  return {
    sessions: await showIdeas(deps, open.slice(0, limit), related),
    left: Math.max(0, open.length - limit),
  };
}

/** What may close one of all the ideas that a filter finds. */
export async function ideasInReach(
  deps: Reach,
  found: IdeaPayload[],
  filter: SessionFilter,
): Promise<IdeaPayload[]> {
  return isOfWhole(filter)
    ? [...found, ...(await commitsSince(deps, found))]
    : ideasAround(deps, found, filter);
}

/** Whether a filter finds all ideas of its repository, or of all. */
export function isOfWhole(filter: SessionFilter): boolean {
  return Object.keys(filter).every((field) => field === 'repo');
}

/**
 * The ideas found with a filter, all others of its repository, and the commits made there since: what closes an idea may be of another
 * time or branch than the session that left it open.
 */
export async function ideasAround(
  deps: Reach,
  found: IdeaPayload[],
  { repo }: SessionFilter,
): Promise<IdeaPayload[]> {
  const sessions = repo === undefined ? {} : { repo };
  const [ideas, commits] = await Promise.all([
    deps.store.listMemory('idea', { sessions }, MAX_COMPARED),
    commitsSince(deps, found),
  ]);
  return distinctIdeas([...found, ...ideas, ...commits]);
}

/** What a session left open, and nobody has closed since. */
export async function openInSession(deps: Reach, sessionId: string): Promise<string[]> {
  const ideas = await deps.store.listMemory('idea', { sessions: { sessionIds: [sessionId] } }, MAX_COMPARED);
  const now = await ideasNow(deps, ideas);
  return now.filter(({ is_open }) => is_open === true).map(({ content }) => content);
}

/** Ideas as they stand now: `is_open` says whether they are, after all that happened in their repository. */
export async function ideasNow(deps: Reach, ideas: IdeaPayload[]): Promise<IdeaPayload[]> {
  const left = ideas.filter(({ is_open }) => is_open === true);
  if (left.length === 0) return ideas;
  const { now } = relatedIdeas(await ideasAround(deps, ideas, { repo: repositoryOf(left) }));
  return ideas.map(now);
}

/** Undefined if the ideas are of several repositories. */
function repositoryOf([first, ...others]: IdeaPayload[]): SessionFilter['repo'] {
  if (first === undefined || others.some(({ repo_id }) => repo_id !== first.repo_id)) return undefined;
  return { repo_id: first.repo_id, repo_key: first.repo_key ?? undefined };
}

/** The ideas that none of those around them closes, in the same order. */
export function openIdeas(
  ideas: IdeaPayload[],
  { kinds, around = ideas }: { kinds: IdeaKind[]; around?: IdeaPayload[] },
): { open: IdeaPayload[]; related: RelatedIdeas } {
  const related = relatedIdeas(around);
  const open = ideas.filter((idea) => kinds.includes(idea.kind) && related.isOpen(idea) === true);
  return { open, related };
}
