import { createHash } from 'node:crypto';
import type { IdeaKind } from '../../../src/domain/session/ideas.ts';
import type { JudgedFind } from './memory-sets.ts';
import type { SessionMemory } from './read-memory.ts';

export interface JudgedFigures {
  kind: IdeaKind;
  judged: number;
  /** Number of these that are found today, and how many of those are right. */
  found: number;
  right: number;
}

/** A sample of the ideas found in all sessions, judged by a person: how many of them today's rules still find. */
export function evaluateJudged(judged: JudgedFind[], memories: Map<string, SessionMemory>): JudgedFigures[] {
  const isFound = ({ session, kind, content }: JudgedFind) =>
    (memories.get(session)?.ideas ?? []).some(
      (idea) => idea.kind === kind && hashOf(idea.content) === content,
    );
  return [...new Set(judged.map(({ kind }) => kind))].map((kind) => {
    const own = judged.filter((one) => one.kind === kind);
    const found = own.filter(isFound);
    return {
      kind,
      judged: own.length,
      found: found.length,
      right: found.filter(({ right }) => right).length,
    };
  });
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
