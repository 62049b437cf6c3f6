import type { RelationView } from '../../domain/memory/memory-result.ts';
import { relateIdeas } from '../../domain/memory/relate-ideas.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import type { RelationKind } from '../../domain/session/ideas.ts';
import { ideaId, ideaView } from './idea-view.ts';
import { isOutlived, lastDeliveries } from './outlived.ts';

export interface RelatedIdeas {
  /** Relations of an idea in both directions, surest first. */
  of(idea: IdeaPayload): RelationView[];
  /** The last idea in its chain of replacements; null if it was not replaced. */
  replacementOf(idea: IdeaPayload): IdeaPayload | null;
  /** Whether it is open, as far as all of these ideas tell; null if nobody knows. `is_open` says what its own session tells. */
  isOpen(idea: IdeaPayload): boolean | null;
  /** The idea as it stands now. */
  now(idea: IdeaPayload): IdeaPayload;
}

interface Edge {
  kind: RelationKind;
  from: string;
  to: string;
  confidence: number;
}

/** The relations among ideas, within and between sessions. Those within a session may form cycles. */
export function relatedIdeas(ideas: IdeaPayload[]): RelatedIdeas {
  const byId = new Map(ideas.map((idea) => [ideaId(idea), idea]));
  const within = ideas.flatMap((idea): Edge[] =>
    idea.relations.map(({ kind, to, confidence }) => ({
      kind,
      confidence,
      from: ideaId(idea),
      to: pointId(idea.session_id, 'idea', to),
    })),
  );
  const edges: Edge[] = [...within, ...relateIdeas(ideas)];
  const outgoing = groupBy(edges, ({ from }) => from);
  const incoming = groupBy(edges, ({ to }) => to);
  const viewOf = (id: string, { kind, confidence }: Edge, reversed: boolean) => {
    const other = byId.get(id);
    // What replaced it may have been replaced itself: the last one holds now.
    const isOld = other !== undefined && kind === 'supersedes' && reversed;
    const idea = isOld ? (lastOf(other) ?? other) : other;
    return idea === undefined ? [] : [{ kind, reversed, idea: ideaView(now(idea)), confidence }];
  };
  const delivered = lastDeliveries(ideas);
  const isClosed = (idea: IdeaPayload) =>
    (incoming.get(ideaId(idea)) ?? []).some(
      ({ kind, from }) =>
        CLOSES.has(kind) && byId.get(from)?.session_id !== idea.session_id && byId.has(from),
    );
  function isOpen(idea: IdeaPayload): boolean | null {
    if (idea.is_open !== true) return idea.is_open;
    if (isClosed(idea)) return false;
    // What a model takes for open has not been measured.
    return idea.origin === 'model' || isOutlived(idea, delivered) ? null : true;
  }
  function now(idea: IdeaPayload): IdeaPayload {
    return { ...idea, is_open: isOpen(idea) };
  }
  function lastOf(idea: IdeaPayload): IdeaPayload | null {
    const seen = new Set([ideaId(idea)]);
    let last: IdeaPayload | null = null;
    for (let id = ideaId(idea); ; ) {
      const next = (incoming.get(id) ?? []).find(
        ({ kind, from }) => kind === 'supersedes' && !seen.has(from),
      );
      const newer = next === undefined ? undefined : byId.get(next.from);
      if (next === undefined || newer === undefined) return last;
      seen.add(next.from);
      last = newer;
      id = next.from;
    }
  }
  return {
    of(idea) {
      const id = ideaId(idea);
      const views = [
        ...(outgoing.get(id) ?? []).flatMap((edge) => viewOf(edge.to, edge, false)),
        ...(incoming.get(id) ?? []).flatMap((edge) => viewOf(edge.from, edge, true)),
      ];
      return views
        .filter((view) => view.idea.id !== id)
        .sort((a, b) => b.confidence - a.confidence)
        .map(({ confidence: _, ...view }) => ({ ...view, idea: withoutQuestion(view.idea, idea) }));
    },
    isOpen,
    now,
    replacementOf: lastOf,
  };
}

/** A choice repeats the question that it answers. */
function withoutQuestion(view: RelationView['idea'], { content }: IdeaPayload): RelationView['idea'] {
  const isRepeated = view.evidence === 'choice' && view.content.startsWith(`${content} `);
  return isRepeated ? { ...view, content: view.content.slice(content.length + 1) } : view;
}

const CLOSES = new Set<RelationKind>(['answers', 'supersedes']);

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
