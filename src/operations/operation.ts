import type { MayBePartial } from '../domain/outage.ts';
import type { Caller } from './caller.ts';
import { completeAnswer } from './complete-answer.ts';
import { type Fields, type Given, type Input, readInput } from './fields.ts';
import { type FilterInput, filterOf } from './filters.ts';
import type { Open } from './open.ts';

/** One thing that smart-fork does, defined once for all doors: command line, MCP, REST and library. */
export interface Operation<F extends Fields = Fields, Answer = unknown> {
  /** What it does, in a phrase that begins with a verb. */
  summary: string;
  /** Whether it only reads, writes on this machine, or changes what a server gets too. */
  effect: 'reads' | 'writes' | 'sends';
  /** For an operation that sends: whether this input changes anything. Default: yes. */
  changes?(input: Input<F>): boolean;
  fields: F;
  /** Whether an answer shows nothing. Only for answers that an unreachable server makes shorter. */
  isEmpty?(answer: Answer): boolean;
  /** Whether what is not indexed may belong in an answer. Default: whether the operation has `isEmpty`. */
  mayLack?(answer: Answer): boolean;
  /** @returns what `--json`, REST and the library answer */
  run(open: Open, input: Input<F>, caller: Caller): Promise<Answer & MayBePartial>;
}

export function operation<const F extends Fields, Answer>(
  definition: Operation<F, Answer>,
): Operation<F, Answer> {
  return definition;
}

/**
 * Checks the input, runs the operation, and sends what it wrote. If the server does not answer, the worker sends it later. An answer
 * that could not cover all that was asked begins its `notices` with the reason.
 * @throws SmartForkError USAGE for invalid input, STORE_UNAVAILABLE if such an answer is empty, and the operation's own errors
 */
export async function perform<F extends Fields, Answer>(
  operation: Operation<F, Answer>,
  open: Open,
  given: Given<F>,
  caller: Caller,
): Promise<Answer & MayBePartial> {
  const input = readInput(operation.fields, given, caller.nameOf);
  try {
    return await runOperation(operation, open, input, caller);
  } catch (error) {
    if (caller.signal?.aborted !== true) await open.errors?.note(operation.summary, error);
    throw error;
  }
}

async function runOperation<F extends Fields, Answer>(
  { fields, effect, changes, isEmpty, mayLack, run }: Operation<F, Answer>,
  open: Open,
  input: Input<F>,
  caller: Caller,
): Promise<Answer & MayBePartial> {
  const answer = await run(open, input, caller);
  if (effect === 'sends' && changes?.(input) !== false) await open.send(caller);
  if (isEmpty === undefined) return answer;
  const filter = Object.hasOwn(fields, 'repo') ? () => filterOf(open, input as FilterInput, caller) : null;
  const shape = { isEmpty: isEmpty(answer), mayLack: mayLack?.(answer) ?? true };
  const { repo } = input as FilterInput;
  return completeAnswer(answer, shape, open, filter, filter === null ? undefined : repo, caller.running);
}
