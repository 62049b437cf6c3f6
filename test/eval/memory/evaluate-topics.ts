import { bootstrap, type Interval } from '../metrics.ts';
import type { Half, LabelledTopics } from './memory-sets.ts';
import type { SessionMemory } from './read-memory.ts';
import { evenTopics, windowDiff, windowWidth } from './window-diff.ts';

export interface TopicFigures {
  half: Half;
  method: string;
  sessions: number;
  windowDiff: Interval;
}

/** WindowDiff of the topics found, and of baselines that need no text: none, even ones, and long pauses. */
export function evaluateTopics(
  labelled: LabelledTopics[],
  memories: Map<string, SessionMemory>,
): TopicFigures[] {
  const known = labelled.filter(({ session }) => memories.has(session));
  const width = windowWidth(known);
  const tuning = known.filter(({ half }) => half === 'tuning');
  const score = (topics: LabelledTopics[], method: Method) =>
    windowDiff(
      topics.map((right) => ({ right, guess: method.begins(right, memories.get(right.session)) })),
      width,
    );
  const length = Math.max(
    1,
    Math.round(known.reduce((sum, { turns }) => sum + turns, 0) / countTopics(known)),
  );
  const pauses = PAUSES_MINUTES.map((minutes) => pausesOf(minutes));
  const bestPause = pauses.reduce((best, one) => (score(tuning, one) < score(tuning, best) ? one : best));
  const methods: Method[] = [
    { name: 'no boundaries', begins: () => [] },
    { name: `even, ${length} turns each`, begins: ({ turns }) => evenTopics(turns, length) },
    bestPause,
    ...[0, 1, 2].map((depth) => spansOf(depth)),
  ];
  return (['tuning', 'held-out'] as const).flatMap((half) => {
    const own = known.filter((one) => one.half === half);
    return methods.map((method) => ({
      half,
      method: method.name,
      sessions: own.length,
      windowDiff: bootstrap(own, (sample) => score(sample, method)),
    }));
  });
}

interface Method {
  name: string;
  begins(right: LabelledTopics, memory: SessionMemory | undefined): number[];
}

/** The best of these on the tuning half. */
const PAUSES_MINUTES = [2, 5, 10, 20, 30, 60, 120, 240, 480];

function pausesOf(minutes: number): Method {
  return {
    name: `pauses of ${minutes} minutes`,
    begins: (_, memory) =>
      (memory?.pauses ?? []).flatMap((pause, turn) => (turn > 0 && pause >= minutes * 60_000 ? [turn] : [])),
  };
}

/** The spans at a depth, and shallower ones. */
function spansOf(depth: number): Method {
  return {
    name: `topics to depth ${depth}`,
    begins: (_, memory) => {
      const begins = (memory?.spans ?? [])
        .filter((span) => span.depth <= depth)
        .map((span) => span.firstTurn);
      return [...new Set(begins)].filter((turn) => turn > 0).sort((a, b) => a - b);
    },
  };
}

function countTopics(topics: LabelledTopics[]): number {
  return topics.reduce((sum, { begins }) => sum + begins.length + 1, 0);
}
