import { expect, it } from 'vitest';
import type { Idea, Span } from '../../../src/domain/session/ideas.ts';
import { evaluateIdeas } from './evaluate-ideas.ts';
import { evaluateTopics } from './evaluate-topics.ts';
import type { LabelledSession, LabelledTopics } from './memory-sets.ts';
import type { SessionMemory } from './read-memory.ts';

const memory = (over: Partial<SessionMemory>): SessionMemory => ({
  ideas: [],
  spans: [],
  pauses: [],
  characters: 1,
  ...over,
});

it('measures precision and recall of ideas by kind and half, and precision by evidence', () => {
  const idea = (content: string, over: Partial<Idea> = {}) =>
    ({ kind: 'decision', content, quote: '', turn: 0, line: 1, evidence: 'plan', ...over }) as Idea;
  const labelled: LabelledSession = {
    session: 's',
    agent: 'codex',
    half: 'held-out',
    turns: [0, 1],
    ideas: [
      { kind: 'decision', also: [], turn: 0, lines: [1], content: 'x', terms: ['walrus'] },
      { kind: 'decision', also: [], turn: 1, lines: [9], content: 'y', terms: ['quokka'] },
    ],
  };
  const found = [idea('a walrus'), idea('noise', { evidence: 'report' }), idea('late', { turn: 7 })];
  const all = evaluateIdeas([labelled], new Map([['s', memory({ ideas: found })]]));
  const row = (evidence: string | null) =>
    all.find((one) => one.half === 'held-out' && one.kind === 'decision' && one.evidence === evidence);
  expect(row(null)).toMatchObject({ found: 2, precision: { value: 0.5 }, labels: 2, recall: { value: 0.5 } });
  expect(row('plan')).toMatchObject({ found: 1, precision: { value: 1 }, recall: null });
  expect(row('report')).toMatchObject({ found: 1, precision: { value: 0 } });
  expect(all.filter(({ half, found: n }) => half === 'tuning' && n > 0)).toEqual([]);
});

it('compares topics with pauses, using the turns at which spans begin', () => {
  const right: LabelledTopics = { session: 's', half: 'tuning', turns: 8, begins: [4] };
  const span = (firstTurn: number, depth: number) => ({ firstTurn, depth }) as Span;
  const pauses = [0, 0, 0, 0, 45 * 60_000, 0, 0, 0];
  const found = memory({ pauses, spans: [span(0, 0), span(4, 0), span(6, 1)] });
  const rows = evaluateTopics([right], new Map([['s', found]])).filter(({ half }) => half === 'tuning');
  const of = (method: RegExp) => rows.find((one) => method.test(one.method))?.windowDiff.value;
  expect(of(/^pauses/)).toBe(0);
  expect(of(/depth 0/)).toBe(0);
  expect(of(/depth 1/)).toBeGreaterThan(0);
  expect(of(/^no boundaries/)).toBeGreaterThan(0);
});
