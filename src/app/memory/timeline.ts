import type { SessionIdeas } from '../../domain/memory/memory-result.ts';
import { CLOSEST_ONLY } from '../../domain/outage.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import { contentWords } from '../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import { IDEA_KINDS, type IdeaKind, isWritten } from '../../domain/session/ideas.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { LocateDependencies } from '../sessions/locate-session.ts';
import type { CommitDependencies } from './commits-since.ts';
import { findEntities, unknownName } from './find-entities.ts';
import { ideaId } from './idea-view.ts';
import { ideasAround, ideasInReach, isOfWhole, MAX_COMPARED } from './list-open.ts';
import { relatedIdeas } from './related-ideas.ts';
import { showIdeas } from './show-ideas.ts';

export interface TimelineRequest {
  filter?: SessionFilter;
  /** Only ideas about this entity: a name, or `type:name`. */
  entity?: string;
  /** Only ideas that match these words, and the ideas that they replaced or led to. */
  query?: string;
  kinds?: IdeaKind[];
  limit: number;
}

export interface Timeline {
  /** The entities that were matched. */
  entities: string[];
  /** Oldest first; a session appears again if it continues after another. */
  sessions: SessionIdeas[];
  left: number;
  /** Whether the entity is unknown. */
  notices: Notice[];
}

const KINDS: IdeaKind[] = ['decision', 'conclusion', 'problem', 'solution'];
const MAX_IDEAS = 5000;
/** Minimum share of the best score for an idea to be included. */
const CLOSE_ENOUGH = 0.5;

export interface TimelineDependencies extends LocateDependencies, CommitDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

/** Decisions, findings and solutions in chronological order. */
export async function timeline(deps: TimelineDependencies, request: TimelineRequest): Promise<Timeline> {
  const { store } = deps;
  const { filter = {}, limit } = request;
  const entities = request.entity === undefined ? [] : await entitiesNamed(store, request.entity);
  const only = request.entity === undefined ? {} : { entities };
  const isWhole = request.entity === undefined && isOfWhole(filter);
  const whole = isWhole ? await store.listMemory('idea', { sessions: filter }, MAX_COMPARED) : null;
  const list = async (of: IdeaKind[]) =>
    whole?.filter(({ kind }) => of.includes(kind)).slice(0, MAX_IDEAS) ??
    (await store.listMemory('idea', { sessions: filter, kinds: of, ...only }, MAX_IDEAS));
  let kinds = request.kinds ?? KINDS;
  let listed = await list(kinds);
  // Of a name that is only asked about or planned, that is what there is.
  if (listed.length === 0 && entities.length > 0 && request.kinds === undefined) {
    kinds = [...IDEA_KINDS];
    listed = await list(kinds);
  }
  const all = listed.filter((idea) => !isWritten(idea));
  // What answers or replaces an idea may be of another kind, time or branch.
  const around = whole === null ? ideasAround(deps, all, filter) : ideasInReach(deps, whole, filter);
  const related = relatedIdeas(await around);
  const wanted = request.query === undefined ? all : await matching(deps, all, { ...request, filter, kinds });
  const newest = wanted.slice(0, limit).sort(byTime);
  return {
    entities,
    sessions: await showIdeas(deps, newest, related).then((shown) => inRuns(shown, newest)),
    left: Math.max(0, wanted.length - limit),
    notices: [
      ...(request.entity === undefined || all.length > 0 ? [] : await unknownName(store, request.entity)),
      ...(request.query === undefined ? [] : onlyClosest(wanted, request.query, deps.tokenizer)),
    ],
  };
}

/** If nothing has most of the words. */
function onlyClosest(ideas: IdeaPayload[], query: string, tokenizer: LexicalTokenizer): Notice[] {
  const stems = new Set(contentWords(tokenizer.words(query)).map(({ stem }) => stem));
  const hasMost = ({ content, quote, entities }: IdeaPayload) => {
    const held = tokenizer.locate([content, quote, ...entities].join('\n'), stems);
    return new Set(held.map(({ stem }) => stem)).size > stems.size / 2;
  };
  if (ideas.length === 0 || stems.size === 0 || ideas.some(hasMost)) return [];
  return [
    { code: CLOSEST_ONLY, message: `nothing has most of the words of "${query}": these are the closest` },
  ];
}

async function entitiesNamed(store: PointStore, entity: string): Promise<string[]> {
  return entity.includes(':') ? [entity.toLowerCase()] : findEntities(store, entity);
}

/** Ideas that match well, and the ideas related to them. */
async function matching(
  { store, tokenizer }: { store: PointStore; tokenizer: LexicalTokenizer },
  all: IdeaPayload[],
  { query = '', filter, kinds }: TimelineRequest & { filter: SessionFilter; kinds: IdeaKind[] },
): Promise<IdeaPayload[]> {
  const { memory } = await store.find({
    tokens: tokenizer.tokens(query),
    vector: null,
    filter: {},
    memory: { sessions: filter, kinds },
  });
  const hits = memory?.ideasByWords ?? [];
  const best = hits[0]?.score ?? 0;
  const ids = new Set(
    hits.filter(({ score }) => score >= best * CLOSE_ENOUGH).map(({ point_id }) => point_id),
  );
  const related = relatedIdeas(all);
  for (const idea of all)
    if (related.of(idea).some(({ kind, idea: other }) => JOINS.has(kind) && ids.has(other.id)))
      ids.add(ideaId(idea));
  return all.filter((idea) => ids.has(ideaId(idea)));
}

const JOINS = new Set<string>(['supersedes', 'builds_on', 'contradicts']);

/** A session appears again if another session's ideas come in between. */
function inRuns(shown: SessionIdeas[], order: IdeaPayload[]): SessionIdeas[] {
  const views = new Map(
    shown.flatMap(({ session, ideas }) => ideas.map((idea) => [idea.id, { session, idea }])),
  );
  const runs: SessionIdeas[] = [];
  for (const payload of order) {
    const view = views.get(ideaId(payload));
    if (view === undefined) continue;
    const last = runs.at(-1);
    if (last?.session.session_id === view.session.session_id) last.ideas.push(view.idea);
    else runs.push({ session: view.session, ideas: [view.idea] });
  }
  return runs;
}

function byTime(a: IdeaPayload, b: IdeaPayload): number {
  const [one, other] = [a.timestamp ?? '', b.timestamp ?? ''];
  if (one !== other) return one < other ? -1 : 1;
  if (a.session_id !== b.session_id) return a.session_id < b.session_id ? -1 : 1;
  return a.chunk_index - b.chunk_index;
}
