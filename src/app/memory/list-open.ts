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

/** What a session leaves open, as far as it says itself: other sessions may have closed it since. */
export async function openInSession(
  store: Pick<PointStore, 'listMemory'>,
  sessionId: string,
): Promise<string[]> {
  const ideas = await store.listMemory('idea', { sessions: { sessionIds: [sessionId] } }, MAX_COMPARED);
  return openIdeas(ideas, { kinds: OPEN_KINDS }).open.map(({ content }) => content);
}

/** The ideas that none of those around them closes, in the same order. What a model takes for open has not been measured. */
export function openIdeas(
  ideas: IdeaPayload[],
  { kinds, around = ideas }: { kinds: IdeaKind[]; around?: IdeaPayload[] },
): { open: IdeaPayload[]; related: RelatedIdeas } {
  const related = relatedIdeas(around);
  const delivered = lastDeliveries(around);
  const open = ideas.filter(
    (idea) =>
      idea.is_open === true &&
      idea.origin !== 'model' &&
      kinds.includes(idea.kind) &&
      !related.isClosed(idea) &&
      !isOutlived(idea, delivered),
  );
  return { open, related };
}

/** The times of the last commit in each repository. */
function lastDeliveries(ideas: IdeaPayload[]): Map<string, string> {
  const times = new Map<string, string>();
  for (const { evidence, repo_id, timestamp } of ideas)
    if (evidence === 'commit' && timestamp !== null && timestamp > (times.get(repo_id) ?? ''))
      times.set(repo_id, timestamp);
  return times;
}

/** A question that a session ended with is about the work at hand: it is over once somebody has committed since. */
function isOutlived(
  { kind, evidence, repo_id, timestamp }: IdeaPayload,
  delivered: Map<string, string>,
): boolean {
  return kind === 'question' && evidence === 'report' && (delivered.get(repo_id) ?? '') > (timestamp ?? '');
}
