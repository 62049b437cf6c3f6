import { groupTopics } from '../../domain/memory/group-topics.ts';
import type { TopicAcross } from '../../domain/memory/memory-result.ts';
import type { IdeaPayload, SpanPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { isWritten } from '../../domain/session/ideas.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { LocateDependencies } from '../sessions/locate-session.ts';
import type { CommitDependencies } from './commits-since.ts';
import { ideaView } from './idea-view.ts';
import { ideasInReach, MAX_COMPARED } from './list-open.ts';
import { nameSessions } from './name-sessions.ts';
import { relatedIdeas } from './related-ideas.ts';
import { forkAt } from './show-ideas.ts';

const MAX_SPANS = 5000;
const MAX_OPEN = 5;

/** The topics of many sessions, newest first: each with its sessions, its newest state and what is open. */
export async function topicsAcross(
  deps: LocateDependencies & CommitDependencies & { store: PointStore },
  { filter = {}, limit }: { filter?: SessionFilter; limit: number },
): Promise<{ topics: TopicAcross[]; left: number }> {
  const { store } = deps;
  const [spans, found] = await Promise.all([
    store.listMemory('span', { sessions: filter }, MAX_SPANS),
    store.listMemory('idea', { sessions: filter }, MAX_COMPARED),
  ]);
  const around = await ideasInReach(deps, found, filter);
  const bySpan = inRoots(spans, found.map(relatedIdeas(around).now));
  const groups = groupTopics(spans).filter((group) => group.some((span) => bySpan.has(keyOf(span))));
  const chosen = groups.slice(0, limit);
  const ids = [...new Set(chosen.flat().map(({ session_id }) => session_id))];
  const sessions = new Map(tellApart(await store.getSessions(ids)).map((one) => [one.session_id, one]));
  const topics = chosen.map((group) => {
    const own = group.flatMap((span) => bySpan.get(keyOf(span)) ?? []);
    return topicOf(deps, group, own, sessions);
  });
  const views = topics.flatMap((topic) => [...topic.open, ...(topic.newest === null ? [] : [topic.newest])]);
  await nameSessions(
    store,
    views.map((idea) => ({ idea, relations: [] })),
    sessions,
  );
  return { topics, left: groups.length - chosen.length };
}

function topicOf(
  { machine }: LocateDependencies,
  group: SpanPayload[],
  ideas: IdeaPayload[],
  sessions: Map<string, { title: string; repo_name: string }>,
): TopicAcross {
  const last = group.at(-1) as SpanPayload;
  const inTime = [...ideas].sort((a, b) => ((a.timestamp ?? '') < (b.timestamp ?? '') ? 1 : -1));
  const newest = inTime.find((idea) => STATES.has(idea.kind) && !isWritten(idea));
  const counts: TopicAcross['ideas'] = {};
  for (const { kind } of ideas) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    name: nameOf(last, sessions.get(last.session_id)?.title),
    repo_name: last.repo_name,
    started_at: group[0]?.timestamp ?? null,
    ended_at: last.ended_at,
    branch: last.branch,
    sessions: oncePerSession(group).map(({ session_id, first_turn, last_turn, ended_at }) => ({
      session_id,
      title: sessions.get(session_id)?.title ?? '',
      first_turn,
      last_turn,
      ended_at,
      fork_command: forkAt(session_id, last_turn, machine.shell),
    })),
    newest: newest === undefined ? null : ideaView(newest),
    ideas: counts,
    open: inTime
      .filter(({ is_open }) => is_open === true)
      .slice(0, MAX_OPEN)
      .map(ideaView),
  };
}

/** A session that is about one topic has a better title than its first prompt. */
function nameOf({ name, chunk_index }: SpanPayload, title: string | undefined): string {
  return (chunk_index === 0 || name === NO_NAME ? title : undefined) ?? name;
}

const NO_NAME = '(no topic)';
/** What says where a topic stands. */
const STATES = new Set(['decision', 'conclusion', 'solution']);

/** Newest first. */
function oncePerSession(group: SpanPayload[]): SpanPayload[] {
  const sessions = new Map<string, SpanPayload>();
  for (const span of [...group].reverse()) {
    const known = sessions.get(span.session_id);
    if (known === undefined) sessions.set(span.session_id, span);
    else sessions.set(span.session_id, { ...known, first_turn: Math.min(known.first_turn, span.first_turn) });
  }
  return [...sessions.values()];
}

/** The ideas of each topic, with those of its parts. */
function inRoots(spans: SpanPayload[], ideas: IdeaPayload[]): Map<string, IdeaPayload[]> {
  const roots = new Map(
    spans.map((span) => [keyOf(span), `${span.session_id} ${span.parent ?? span.chunk_index}`]),
  );
  const found = new Map<string, IdeaPayload[]>();
  for (const idea of ideas) {
    const root = roots.get(keyOf(idea));
    if (root === undefined) continue;
    const own = found.get(root);
    if (own === undefined) found.set(root, [idea]);
    else own.push(idea);
  }
  return found;
}

function keyOf(one: IdeaPayload | SpanPayload): string {
  return `${one.session_id} ${one.type === 'span' ? one.chunk_index : one.span}`;
}
