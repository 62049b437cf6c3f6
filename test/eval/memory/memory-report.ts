import type { Interval } from '../metrics.ts';
import { intervalCell, share, table, withGaps } from '../tables.ts';
import type { IdeaFigures } from './evaluate-ideas.ts';
import type { MemoryEvaluation } from './evaluate-memory.ts';

export function memoryReport(evaluation: MemoryEvaluation): string {
  const { sessions, ideas, judged, relations, topics, recall, doubted, suggestions, growth } = evaluation;
  return [
    ...table(
      ['half', 'kind', 'from', 'found', 'precision', 'any kind', 'labels', 'recall'],
      withGaps(ideas.map(ideaRow)),
    ),
    '',
    ...table(
      ['judged by a person', 'judged', 'found today', 'right'],
      judged.map((one) => [one.kind, String(one.judged), String(one.found), share(one.right / one.found)]),
    ),
    '',
    ...table(
      ['relation', 'pairs', 'found', 'other pairs', 'mistaken'],
      relations.map((one) => [
        one.kind,
        ...[one.related, one.found, one.unrelated, one.mistaken].map(String),
      ]),
    ),
    '',
    ...table(
      ['half', 'topics', 'sessions', 'WindowDiff'],
      withGaps(
        topics.map((one) => [one.half, one.method, String(one.sessions), intervalCell(one.windowDiff)]),
      ),
    ),
    '',
    ...table(
      ['half', 'questions', 'recall', 'search: turn', 'search: session', 'doubted'],
      recall.map((one) => [
        one.half,
        String(one.questions),
        share(one.recall),
        share(one.turn),
        share(one.session),
        share(one.doubted),
      ]),
    ),
    'The share of the questions whose answer is among the first three; doubted: recall says that past sessions may not say.',
    `Of questions without an answer, recall doubts or finds nothing for ${share(doubted)}.`,
    '',
    ...table(
      ['suggested at the start of a session', 'sessions', 'shown', 'right'],
      suggestions.map((one) => [one.rule, String(one.sessions), String(one.shown), cell(one.precision)]),
    ),
    '',
    `${sessions} sessions. In brackets: 95 % intervals (bootstrap over ideas, labels or sessions).`,
    `A session has ${growth.ideasPerSession.toFixed(1)} ideas and ${growth.spansPerSession.toFixed(1)} topics; their texts are ${share(growth.share)} of the conversation's; the longest idea has ${growth.longest} bytes.`,
  ].join('\n');
}

function ideaRow({ half, kind, evidence, found, precision, anyKind, labels, recall }: IdeaFigures): string[] {
  return [
    half,
    evidence === null ? kind : '',
    evidence ?? 'anything',
    String(found),
    cell(precision),
    anyKind === null ? '-' : share(anyKind),
    evidence === null ? String(labels) : '',
    evidence === null ? cell(recall) : '',
  ];
}

function cell(interval: Interval | null): string {
  return interval === null ? '-' : intervalCell(interval);
}
