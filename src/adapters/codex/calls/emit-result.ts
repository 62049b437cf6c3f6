import { errorLines, errorsOfPassed, tellsOfErrors } from '../../../domain/session/calls/error-lines.ts';
import { branchesIn, gitOutput } from '../../../domain/session/calls/git-output.ts';
import { asList, asRecord, asText } from '../../jsonl/read-value.ts';
import { emitReply, type LineContext } from './emit-call.ts';

/** Emits the end of a call from the two ends of its line; false if the line must be parsed. */
export function emitShortResult(line: Buffer, context: LineContext): boolean {
  const start = line.toString('latin1', 0, HEAD_BYTES);
  const [, call, code, process] = SHORT.exec(start) ?? [];
  if (call === undefined || LISTS_COMMITS.test(start) || line.includes(' to commit')) return false;
  if (process !== undefined) {
    context.emit({ kind: 'process', call, process });
    return true;
  }
  if (code !== '0' || tellsOfErrors(line.toString('latin1', Math.max(0, line.length - TAIL_BYTES))))
    return false;
  const branches = SWITCHES.some((words) => line.includes(words)) ? branchesIn(line.toString()) : undefined;
  context.emit({ kind: 'result', call, failed: false, error: null, branches, inherited: context.inherited });
  return true;
}

/** Emits the end of a call, unless it continues in the background. */
export function emitResult(call: string | null, output: string, context: LineContext): void {
  const code = EXIT_CODE.exec(output.slice(0, 400));
  const process = RUNNING.exec(output.slice(0, 400))?.[1];
  if (call === null) return;
  emitReason(call, output, context);
  if (process !== undefined) context.emit({ kind: 'process', call, process });
  else if (code !== null) emitExit(call, Number(code[1] ?? code[2]), output, context);
}

/** Emits why the user refused a call. */
export function emitReason(call: string | null, output: string, context: LineContext): void {
  const reason = REFUSED.exec(output)?.[1]?.trim() ?? '';
  if (call !== null && reason !== '') emitReply('reason', reason, call, context);
}

export function emitExit(call: string, code: number, output: string, { inherited, emit }: LineContext): void {
  const failed = code !== 0;
  const mayTell = failed || tellsOfErrors(output.slice(-TAIL_BYTES));
  const text = mayTell ? withoutHeader(output) : '';
  const error = failed ? errorLines(text) : errorsOfPassed(text);
  emit({ kind: 'result', call, failed, error, ...gitOutput(withoutHeader(output)), inherited });
}

/** An output is a string, `{ content }` or a list of parts. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  const parts = Array.isArray(output) ? output : asList(asRecord(output)?.content_items);
  const texts = parts.map((part) => asText(asRecord(part)?.text) ?? '');
  return asText(asRecord(output)?.content) ?? texts.join('\n');
}

function withoutHeader(output: string): string {
  const at = output.indexOf('\nOutput:\n');
  return at < 0 || at > 400 ? output : output.slice(at + '\nOutput:\n'.length);
}

const SWITCHES = ['Switched to', 'Already on'];
const HEAD_BYTES = 900;
const TAIL_BYTES = 2000;
const SHORT =
  /"call_id":"([^"\\]{1,200})","output":"(?:Chunk ID: \w{1,20}\\n)?(?:Wall time: [\d.]{1,20} seconds\\n)?(?:Process exited with code (\d+)|Process running with session ID (\d+))\\n/;
const LISTS_COMMITS = /\\nOutput:\\n(?:commit |\[[^\]\\]{1,200} )?[0-9a-f]{7,40}(?:[\] ]|\\n)/;
/** Most refusals have no reason: the user types it as the next prompt. */
const REFUSED =
  /^(?:exec command|patch|tool call) rejected by (?:the )?user(?: with (?:(?:a|the) )?reason)?: ([\s\S]+)$/;
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d+)|"exit_code":(-?\d+)/m;
const RUNNING = /^Process running with session ID (\d+)/m;
