import { relateIdeas } from '../../../src/domain/memory/relate-ideas.ts';
import type { IdeaPayload } from '../../../src/domain/point/point.ts';
import { ideaPoint, identityOf } from '../../../src/domain/point/session-points.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { remember, told } from '../../domain/memory/events.ts';
import type { RelatedPair } from './memory-sets.ts';

export interface RelationFigures {
  kind: RelatedPair['kind'];
  /** Number of pairs that are related in this way, and how many of them are found. */
  related: number;
  found: number;
  /** Number of unrelated pairs, and how many are reported as related. */
  unrelated: number;
  mistaken: number;
}

/** Whether session pairs that replace, contradict or build on each other are distinguished from pairs that only share words. */
export function evaluateRelations(pairs: RelatedPair[]): RelationFigures[] {
  return [...new Set(pairs.map(({ kind }) => kind))].map((kind) => {
    const own = pairs.filter((pair) => pair.kind === kind);
    const isFound = (pair: RelatedPair) => relationsOf(pair).includes(kind);
    const [related, unrelated] = [own.filter((pair) => pair.related), own.filter((pair) => !pair.related)];
    return {
      kind,
      related: related.length,
      found: related.filter(isFound).length,
      unrelated: unrelated.length,
      mistaken: unrelated.filter(isFound).length,
    };
  });
}

function relationsOf({ earlier, later }: RelatedPair): string[] {
  const ideas = [...ideasOf('earlier', earlier, 1), ...ideasOf('later', later, 2)];
  return relateIdeas(ideas).map(({ kind }) => kind);
}

function ideasOf(sessionId: string, saying: RelatedPair['earlier'], day: number): IdeaPayload[] {
  const identity = identityOf(
    { sessionId, agent: 'claude', machine: 'here', workingDirectory: '/home/dev/shop', remoteUrl: null },
    null,
  );
  return remember([told.user('Go on.'), ...eventsOf(saying)]).ideas.map(
    (idea) => ideaPoint(identity, { ...idea, timestamp: `2026-07-0${day}T09:00:00.000Z` }).payload,
  );
}

function eventsOf(saying: RelatedPair['earlier']): TranscriptEvent[] {
  if ('committed' in saying) return [told.commit(saying.committed)];
  if ('decided' in saying) return [told.remembered('decision', saying.decided)];
  return [told.asked(saying.question, saying.options), told.answered(saying.question, saying.answer)];
}
