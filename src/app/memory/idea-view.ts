import { isTentative } from '../../domain/memory/confidence.ts';
import type { IdeaView } from '../../domain/memory/memory-result.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';

export function ideaId({ session_id, chunk_index }: Pick<IdeaPayload, 'session_id' | 'chunk_index'>): string {
  return pointId(session_id, 'idea', chunk_index);
}

/** Each idea once, in the order of its first place. */
export function distinctIdeas(ideas: IdeaPayload[]): IdeaPayload[] {
  return [...new Map(ideas.map((idea) => [ideaId(idea), idea])).values()];
}

export function ideaView(idea: IdeaPayload): IdeaView {
  return {
    id: ideaId(idea),
    session_id: idea.session_id,
    kind: idea.kind,
    content: idea.content,
    quote: idea.quote,
    open: idea.is_open,
    confidence: idea.confidence,
    tentative: isTentative(idea),
    evidence: idea.evidence,
    origin: idea.origin,
    options: idea.options ?? [],
    entities: idea.entities,
    turn: idea.turn,
    timestamp: idea.timestamp,
  };
}
