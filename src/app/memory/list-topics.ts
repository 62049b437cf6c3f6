import type { SessionTopics, TopicView } from '../../domain/memory/memory-result.ts';
import type { IdeaPayload, SessionPayload, SpanPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { hashIn } from '../../domain/session/commit-hash.ts';
import type { Commit } from '../../domain/session/session.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type LocateDependencies, locateSession } from '../sessions/locate-session.ts';
import { toSessionCard } from '../sessions/session-card.ts';
import type { CommitDependencies } from './commits-since.ts';
import { ideasNow, MAX_COMPARED } from './list-open.ts';

const MAX_SPANS = 5000;

/** The sessions' topics, newest session first. */
export async function listTopics(
  deps: LocateDependencies & CommitDependencies & { store: PointStore },
  { filter = {}, limit }: { filter?: SessionFilter; limit: number },
): Promise<SessionTopics[]> {
  const { sessions } = await deps.store.list(filter, limit);
  if (sessions.length === 0) return [];
  const only = { sessions: { sessionIds: sessions.map(({ session_id }) => session_id) } };
  const [spans, ideas] = await Promise.all([
    deps.store.listMemory('span', only, MAX_SPANS),
    deps.store.listMemory('idea', only, MAX_COMPARED),
  ]);
  const now = await ideasNow(deps, ideas);
  return tellApart(sessions).map((session) => ({
    session: toSessionCard(session, locateSession(deps, session)),
    topics: topicsOf(session, spans, now),
  }));
}

function topicsOf(
  { session_id, commits }: SessionPayload,
  spans: SpanPayload[],
  ideas: IdeaPayload[],
): TopicView[] {
  const own = spans
    .filter((span) => span.session_id === session_id)
    .sort((a, b) => a.chunk_index - b.chunk_index);
  const views = own.map((span) =>
    viewOf(
      { ...span, commits: commits.filter((commit) => span.commits.some(isNameOf(commit))).map(nameOf) },
      ideas.filter((idea) => idea.session_id === session_id && isIn(idea.span, span)),
    ),
  );
  return inTree(views);

  // A topic has what its parts have.
  function isIn(index: number, { chunk_index }: SpanPayload): boolean {
    return (
      index === chunk_index || own.some((part) => part.chunk_index === index && part.parent === chunk_index)
    );
  }
}

/** A span also has those that the session undid or replaced later. */
function isNameOf(commit: Commit): (name: string) => boolean {
  return (name) => name === commit.subject || hashIn(commit, name) !== undefined;
}

function nameOf({ hash, subject }: Commit): string {
  return hash || subject;
}

/** Puts each topic before its subtopics. A parent that is missing or comes later is ignored, so no cycle can form. */
function inTree(topics: TopicView[]): TopicView[] {
  const known = new Set(topics.map(({ index }) => index));
  const parentOf = ({ parent, index }: TopicView) =>
    parent !== null && parent < index && known.has(parent) ? parent : null;
  const within = (parent: number | null): TopicView[] =>
    topics.filter((topic) => parentOf(topic) === parent).flatMap((topic) => [topic, ...within(topic.index)]);
  return within(null);
}

function viewOf(span: SpanPayload, ideas: IdeaPayload[]): TopicView {
  const counts: TopicView['ideas'] = {};
  for (const { kind } of ideas) counts[kind] = (counts[kind] ?? 0) + 1;
  const { session_id, chunk_index: index, parent, depth, name, summary, timestamp, ended_at } = span;
  const { first_turn, last_turn, branch, files, commits } = span;
  return {
    session_id,
    index,
    parent,
    depth,
    name,
    summary,
    first_turn,
    last_turn,
    started_at: timestamp,
    ended_at,
    branch,
    files,
    commits,
    ideas: counts,
    open: ideas.filter(({ is_open }) => is_open === true).length,
  };
}
