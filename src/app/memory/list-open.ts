import type { IdeaKind } from '../../domain/memory/memory.ts';
import type { SessionIdeas } from '../../domain/memory/memory-result.ts';
import { shownIdeas } from '../../domain/memory/shown-ideas.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { LocateDependencies } from '../sessions/locate-session.ts';
import { type RelatedIdeas, relatedIdeas } from './related-ideas.ts';
import { showIdeas } from './show-ideas.ts';

interface OpenRequest {
  filter?: SessionFilter;
  kinds?: IdeaKind[];
  /** Include ideas from less reliable sources. */
  all?: boolean;
  limit: number;
}

export interface OpenIdeas {
  sessions: SessionIdeas[];
  /** Number of ideas not shown. */
  left: number;
}

const OPEN_KINDS: IdeaKind[] = ['todo', 'question', 'problem'];
/** Maximum number of ideas to search for one that closes another. */
const MAX_COMPARED = 20_000;

/** Questions, problems and todos that no later idea, in their own session or another, has answered, solved or completed; newest first. */
export async function listOpen(
  deps: LocateDependencies & { store: PointStore },
  { filter = {}, kinds = OPEN_KINDS, all: unsure, limit }: OpenRequest,
): Promise<OpenIdeas> {
  const found = await deps.store.listMemory('idea', { sessions: filter }, MAX_COMPARED);
  const { open, related } = openIdeas(found, { kinds, all: unsure });
  return {
    sessions: await showIdeas(deps, open.slice(0, limit), related),
    left: Math.max(0, open.length - limit),
  };
}

/** The ideas that none of the others closes, in the same order. */
export function openIdeas(
  ideas: IdeaPayload[],
  { kinds, all }: { kinds: IdeaKind[]; all?: boolean | undefined },
): { open: IdeaPayload[]; related: RelatedIdeas } {
  const shown = shownIdeas(ideas, all);
  const related = relatedIdeas(shown);
  const open = shown.filter(
    (idea) => idea.is_open === true && kinds.includes(idea.kind) && !related.isClosed(idea),
  );
  return { open, related };
}
