import { CERTAINTY, type CertaintyNumbers } from '../../../src/domain/search/certainty.ts';
import { caseSets } from '../evaluate.ts';
import type { OpenCorpus } from '../open-corpus.ts';
import { readQueries, selectQueries } from '../read-queries.ts';
import { table } from '../tables.ts';
import { askCases, type Case } from './cases.ts';
import { certaintyLines } from './certainty-report.ts';
import { fitCertainty } from './fit.ts';
import { type CertaintyFigures, measureCertainty } from './measure.ts';

/** The certainty of the current numbers, and of numbers fitted without the corpus that they are measured on. */
export interface FitEvaluation {
  fitted: { from: string; numbers: CertaintyNumbers }[];
  measured: { name: string; figures: CertaintyFigures }[];
}

/** The searches by which the certainty is measured; none if the corpus has no usable queries. */
export async function certaintyCases(open: OpenCorpus): Promise<Case[]> {
  const ids = new Set(open.sessions.map(({ session_id }) => session_id));
  const { queries, foreign } = selectQueries(readQueries(open.corpus.queries), ids);
  return queries.length === 0 ? [] : askCases(open, caseSets(open, { queries, foreign }));
}

/** @param fit also fits numbers: to all corpora, and without each of them, to be measured on that one. */
export function evaluateCertainty(cases: Case[], fit: boolean): FitEvaluation {
  const corpora = [...new Set(cases.map(({ corpus }) => corpus))];
  const parts = corpora.flatMap((corpus) => {
    const inside = cases.filter((one) => one.corpus === corpus);
    return [...new Set(inside.map(({ mode }) => mode))].map((mode) => ({
      corpus,
      name: `${corpus}, ${mode}`,
      inside: inside.filter((one) => one.mode === mode),
    }));
  });
  const current = parts.map(({ name, inside }) => ({ name, figures: measureCertainty(inside) }));
  if (!fit) return { fitted: [], measured: current };
  const without = new Map(
    corpora.map((corpus) => [corpus, cases.filter((one) => one.corpus !== corpus)] as const),
  );
  const held = [...without].filter(([, rest]) => rest.length > 0);
  const heldOut = new Map(held.map(([corpus, rest]) => [corpus, fitCertainty(rest)]));
  return {
    fitted: [
      { from: 'current', numbers: CERTAINTY },
      { from: 'all', numbers: fitCertainty(cases) },
      ...[...heldOut].map(([corpus, numbers]) => ({ from: `all but ${corpus}`, numbers })),
    ],
    measured: [
      ...current,
      ...parts.flatMap(({ corpus, name, inside }) => {
        const numbers = heldOut.get(corpus);
        return numbers === undefined
          ? []
          : [{ name: `${name}, held out`, figures: measureCertainty(inside, numbers) }];
      }),
    ],
  };
}

export function fitReport({ fitted, measured }: FitEvaluation): string {
  const names = Object.keys(CERTAINTY) as (keyof CertaintyNumbers)[];
  return [
    ...(fitted.length === 0
      ? []
      : [
          ...table(
            ['fitted to', ...names],
            fitted.map(({ from, numbers }) => [from, ...names.map((name) => numbers[name].toFixed(2))]),
          ),
          '',
        ]),
    ...certaintyLines(measured),
  ].join('\n');
}
