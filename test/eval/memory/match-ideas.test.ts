import { describe, expect, it } from 'vitest';
import { type FoundIdea, judgeIdeas } from './match-ideas.ts';
import type { LabelledIdea, LabelledSession } from './memory-sets.ts';

const label = (over: Partial<LabelledIdea> = {}): LabelledIdea => ({
  kind: 'decision',
  also: [],
  turn: 2,
  lines: [40],
  content: 'retries use a queue',
  terms: ['retries', 'queue'],
  ...over,
});

const session = (...ideas: LabelledIdea[]): LabelledSession => ({
  session: 's',
  agent: 'claude',
  half: 'tuning',
  turns: [0, 3],
  ideas,
});

const idea = (over: Partial<FoundIdea> = {}): FoundIdea => ({
  kind: 'decision',
  content: 'We put retried jobs into the queue',
  quote: '',
  turn: 2,
  line: 41,
  evidence: 'plan',
  confidence: 0.9,
  origin: 'transcript',
  ...over,
});

const isRight = (found: FoundIdea, wanted: LabelledIdea) =>
  judgeIdeas(session(wanted), [found]).judged[0]?.label === wanted;

describe('comparing ideas with labels', () => {
  it('accepts an idea in other words near the labelled line', () => {
    expect(isRight(idea(), label())).toBe(true);
    expect(isRight(idea({ content: 'A queue', line: 43 }), label())).toBe(true);
    expect(isRight(idea({ content: 'Something else' }), label())).toBe(false);
  });

  it('requires more common words elsewhere in the turn, and matches nothing in another turn', () => {
    expect(isRight(idea({ line: 90 }), label())).toBe(true);
    expect(isRight(idea({ content: 'A queue', line: 90 }), label())).toBe(false);
    expect(isRight(idea({ turn: 3, line: 90 }), label())).toBe(false);
  });

  it('distinguishes a wrong kind from an unlabelled idea, and accepts kinds that fit as well', () => {
    const other = judgeIdeas(session(label()), [idea({ kind: 'todo' })]).judged[0];
    expect(other).toMatchObject({ label: null, ofOtherKind: true });
    expect(isRight(idea({ kind: 'todo' }), label({ also: ['todo'] }))).toBe(true);
  });

  it('leaves out ideas outside the labelled stretch', () => {
    expect(judgeIdeas(session(label()), [idea({ turn: 4 })]).judged).toEqual([]);
  });

  it('counts a label as found once, however often it is stated', () => {
    const { judged, labels } = judgeIdeas(session(label(), label({ lines: [300], terms: ['cache'] })), [
      idea(),
      idea({ line: 40 }),
    ]);
    expect(judged.every((one) => one.label !== null)).toBe(true);
    expect(labels.map(({ found }) => found)).toEqual([true, false]);
  });
});
