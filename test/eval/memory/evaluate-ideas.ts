import { type Evidence, IDEA_KINDS, type IdeaKind } from '../../../src/domain/session/ideas.ts';
import { bootstrap, type Interval, mean } from '../metrics.ts';
import { type JudgedIdea, judgeIdeas } from './match-ideas.ts';
import type { Half, LabelledIdea, LabelledSession } from './memory-sets.ts';
import type { SessionMemory } from './read-memory.ts';

export interface IdeaFigures {
  half: Half;
  kind: IdeaKind | 'all';
  /** Null: any evidence. */
  evidence: Evidence | null;
  found: number;
  /** Share of the ideas found that state a label of their kind; null if nothing was found. */
  precision: Interval | null;
  /** The same, if any kind counts as right. */
  anyKind: number | null;
  labels: number;
  /** Share of the labels that were found; null by evidence. */
  recall: Interval | null;
}

/** Precision and recall of each kind, and precision of each kind by evidence. */
export function evaluateIdeas(
  sessions: LabelledSession[],
  memories: Map<string, SessionMemory>,
): IdeaFigures[] {
  return (['tuning', 'held-out'] as const).flatMap((half) => {
    const judgements = sessions
      .filter((one) => one.half === half && memories.has(one.session))
      .map((one) => judgeIdeas(one, memories.get(one.session)?.ideas ?? []));
    const judged = judgements.flatMap((one) => one.judged);
    const labels = judgements.flatMap((one) => one.labels);
    return [...IDEA_KINDS, 'all' as const].flatMap((kind) => {
      const own = judged.filter(({ idea }) => kind === 'all' || idea.kind === kind);
      const wanted = labels.filter(({ label }) => kind === 'all' || label.kind === kind);
      const evidences = kind === 'all' ? [] : [...new Set(own.map(({ idea }) => idea.evidence))].sort();
      return [
        figures(half, kind, null, own, wanted),
        ...evidences.map((evidence) =>
          figures(
            half,
            kind,
            evidence,
            own.filter(({ idea }) => idea.evidence === evidence),
            null,
          ),
        ),
      ];
    });
  });
}

function figures(
  half: Half,
  kind: IdeaFigures['kind'],
  evidence: IdeaFigures['evidence'],
  judged: JudgedIdea[],
  labels: { label: LabelledIdea; found: boolean }[] | null,
): IdeaFigures {
  const right = ({ label }: JudgedIdea) => (label === null ? 0 : 1);
  const some = judged.length > 0;
  return {
    half,
    kind,
    evidence,
    found: judged.length,
    precision: some ? bootstrap(judged, (sample) => mean(sample.map(right))) : null,
    anyKind: some ? mean(judged.map((one) => (one.label !== null || one.ofOtherKind ? 1 : 0))) : null,
    labels: labels?.length ?? 0,
    recall:
      labels === null || labels.length === 0
        ? null
        : bootstrap(labels, (sample) => mean(sample.map(({ found }) => (found ? 1 : 0)))),
  };
}
