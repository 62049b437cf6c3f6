import type { SessionIdeas } from '../../../domain/memory/memory-result.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import { IDEA_KINDS, type IdeaKind } from '../../../domain/session/ideas.ts';
import type { CommitDependencies } from '../commits-since.ts';
import { listOpen } from '../list-open.ts';
import { recall } from '../recall/recall.ts';
import type { RecallDependencies } from '../recall/understand-question.ts';
import { timeline } from '../timeline.ts';

type ShownIdea = SessionIdeas['ideas'][number];

interface IdeasRequest {
  filter: SessionFilter;
  query?: string;
  kind?: IdeaKind;
  /** Only open ideas. */
  open: boolean;
  limit: number;
}

/** Ideas from all sessions: the best matches for a query, or the newest. */
export async function listIdeas(
  deps: RecallDependencies & CommitDependencies,
  { filter, query, kind, open, limit }: IdeasRequest,
): Promise<{ ideas: ShownIdea[]; left: number | null }> {
  const kinds = kind && { kinds: [kind] };
  if (query !== undefined) {
    const { groups } = await recall(deps, { query, filter, ...kinds, open: open || undefined, limit });
    const lines = groups.flatMap((group) => group.lines).sort((a, b) => b.score - a.score);
    const ideas = lines.flatMap(({ idea, relations, fork_command }) =>
      idea === null ? [] : [{ ...idea, relations, fork_command }],
    );
    return { ideas, left: null };
  }
  const { sessions, left } = open
    ? await listOpen(deps, { filter, ...kinds, limit })
    : await timeline(deps, { filter, kinds: kind ? [kind] : [...IDEA_KINDS], limit });
  return { ideas: sessions.flatMap(({ ideas }) => ideas).sort(newestFirst), left };
}

function newestFirst(a: ShownIdea, b: ShownIdea): number {
  const [one, other] = [a.timestamp ?? '', b.timestamp ?? ''];
  return one === other ? b.turn - a.turn : one < other ? 1 : -1;
}
