import type { Quotation } from './rank-statements.ts';
import type { SaidMessage, Statement } from './read-statements.ts';

/** What is quoted of one message: the statements that answer best. */
export interface Excerpt {
  message: SaidMessage;
  /** In order; runs do not touch. */
  runs: Run[];
}

/** Positions of statements in a message. */
type Run = Pick<Quotation, 'first' | 'last' | 'headed'>;

/** Characters of an excerpt. */
const LONGEST = 800;
/** How much less another quotation of the message may score than the best one. */
const MARGIN = 0.5;

/** The best of one message's quotations, and others that fit, best first. */
export function excerptOf<Scored extends { quotation: Quotation; score: number }>(
  best: Scored,
  others: Scored[],
): Excerpt {
  const { message } = best.quotation;
  const whole = withReferent(best.quotation);
  let runs: Run[] = [lengthOf([whole], message) <= LONGEST ? whole : runOf(best.quotation)];
  for (const { quotation, score } of others) {
    if (score < best.score - MARGIN) break;
    const more = joinRuns([...runs, withReferent(quotation)]);
    if (lengthOf(more, message) <= LONGEST) runs = more;
  }
  return { message, runs };
}

/** "It is small": without the statement before, it would be said of another. */
const REFERS =
  /^(?:and|but|so|then|yet|or|also|instead|however|it|its|that|this|these|those|they|their|them|he|she|which|both|neither|either|such|there|otherwise|the (?:former|latter|other|second|same))\b/i;

function withReferent(quotation: Quotation): Run {
  const { statements } = quotation.message;
  let { first } = quotation;
  while (
    first > 0 &&
    REFERS.test(statements[first]?.text ?? '') &&
    statements[first - 1]?.form === 'sentence'
  )
    first -= 1;
  return first === quotation.first ? runOf(quotation) : { first, last: quotation.last, headed: false };
}

function runOf({ first, last, headed }: Quotation): Run {
  return { first, last, headed };
}

function joinRuns(runs: Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs.sort((a, b) => a.first - b.first)) {
    const before = joined.at(-1);
    if (before === undefined || run.first > before.last + 1) joined.push({ ...run });
    else before.last = Math.max(before.last, run.last);
  }
  return joined;
}

function lengthOf(runs: Run[], { statements }: SaidMessage): number {
  const said = runs.flatMap(({ first, last }) => statements.slice(first, last + 1));
  return said.reduce((sum, { text }) => sum + text.length + 1, 0);
}

/** As it is shown: with "…" where it leaves out statements, or a list, an item or a table in it begins before or goes on. */
export function shownExcerpt({ message, runs }: Excerpt): string {
  return runs
    .map((run) => shownRun(message, run))
    .reduce((shown, run) => `${shown.replace(/ …$/, '')} … ${run.replace(/^… /, '')}`);
}

function shownRun(message: SaidMessage, run: Run): string {
  const { statements } = message;
  const [first, last] = [statements[run.first], statements[run.last]];
  const [before, after] = [statements[run.first - 1], statements[run.last + 1]];
  const begins = isPart(first) && isPart(before) && !isColumns(before, first);
  const isOfList = statements.slice(run.first, run.last + 1).some(isPart);
  const goesOn = isOfList && isPart(after) && (isPart(last) || after?.item !== 'more');
  return `${begins ? '… ' : ''}${textOf(message, run)}${goesOn ? ' …' : ''}`;
}

/** Whether it is of a list or a table. */
function isPart(statement: Statement | undefined): boolean {
  return statement?.item !== undefined || statement?.form === 'row';
}

/** Whether it is the names of the columns of a row. */
function isColumns(statement: Statement | undefined, row: Statement | undefined): boolean {
  return statement?.form === 'row' && statement.text === row?.header;
}

/** The words of a quotation, with the heading above it or the words that lead to it, and the names of a table's columns. */
export function quotedText(quotation: Quotation): string {
  return textOf(quotation.message, quotation);
}

function textOf(message: SaidMessage, { first, last, headed }: Run): string {
  const said = message.statements.slice(first, last + 1);
  const before = message.statements[first - 1];
  const isLed = before?.leadsIn === true;
  const labels = [headed || isLed ? said[0]?.label : undefined, said[0]?.header].filter(Boolean);
  return said.reduce(
    (quoted, statement, at) => (at === 0 ? quoted + statement.text : joined(quoted, said[at - 1], statement)),
    labels.map((label) => `${label}: `).join(''),
  );
}

function joined(quoted: string, before: Statement | undefined, statement: Statement): string {
  if (isColumns(before, statement) || before?.form === 'heading') return `${quoted}: ${statement.text}`;
  // Items of a list often end without a full stop, rows do.
  const ofList = statement.item !== 'more' && (isPart(statement) || isPart(before));
  return `${quoted}${ofList && !/[.:;!?…]$/.test(quoted) ? ';' : ''} ${statement.text}`;
}
