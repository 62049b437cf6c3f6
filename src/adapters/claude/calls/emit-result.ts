import { errorLines, errorsOfPassed, tellsOfErrors } from '../../../domain/session/calls/error-lines.ts';
import { gitOutput } from '../../../domain/session/calls/git-output.ts';
import { asText } from '../../jsonl/read-value.ts';
import { emitAnswers, emitNewTask } from './emit-lists.ts';
import type { LineContext } from './line-context.ts';

/** Emits the end of a call. A command that continues in the background has not ended. */
export function emitResult(
  block: Record<string, unknown>,
  output: string,
  details: unknown,
  context: LineContext,
): void {
  const call = asText(block.tool_use_id) ?? '';
  const failed = block.is_error === true;
  if (call === '' || BACKGROUND.test(output)) return;
  const error = failed ? errorLines(output.replace(EXIT_CODE, '')) : errorsOfPassed(output);
  context.emit({ kind: 'result', call, failed, error, ...gitOutput(output), inherited: context.inherited });
  if (failed) return;
  emitAnswers(call, details, context);
  emitNewTask(output, context);
}

/** Emits the end of a call with a long output, from the last part of the output; with its escapes, a line stays a line. */
export function emitLongResult(call: string, tail: string, context: LineContext): void {
  const output = tellsOfErrors(tail) ? tail.replace(/\\[nr]/g, '\n').replace(/\\(.)/g, '$1') : '';
  const error = errorsOfPassed(output);
  context.emit({ kind: 'result', call, failed: false, error, inherited: context.inherited });
}

const BACKGROUND = /^Command (?:running|was moved to|is running) (?:in )?(?:the )?background\b/;
const EXIT_CODE = /^(?:Error: )?Exit code \d+\n/;
