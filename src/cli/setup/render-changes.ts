import { structuredPatch } from 'diff';
import type { AppliedChange } from '../../app/setup/apply-init.ts';
import { isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';

/** Each file with what will change in it, as a diff; what stays as it is in a line. */
export function renderPlan(plan: SettingsChange[], look: Look): string {
  const ink = createInk(look);
  return plan
    .flatMap((change) => [...planLines(change, ink), ''])
    .join('\n')
    .trimEnd();
}

/** What was done, a line or two for each file. */
export function renderApplied(applied: AppliedChange[], look: Look): string {
  const ink = createInk(look);
  return applied.flatMap((one) => appliedLines(one, ink)).join('\n');
}

/** What a change is called, in text and in JSON. */
export function actionOf(change: SettingsChange): 'none' | 'create' | 'change' | 'delete' {
  if (!isChange(change)) return 'none';
  if (change.before === null) return 'create';
  return change.after === null ? 'delete' : 'change';
}

function planLines(change: SettingsChange, ink: Ink): string[] {
  const { style, symbols } = ink;
  const { path } = change.editor;
  if (change.problem !== null)
    return marked(change.problem.message, style.bad(symbols.fail), change.problem.hint, ink);
  if (!isChange(change))
    return marked(`${path}: ${unchangedText(change)}`, style.good(symbols.ok), undefined, ink);
  const title = `${path} ${{ create: '(new file)', delete: '(will be deleted)', change: '', none: '' }[actionOf(change)]}`;
  return [style.strong(title.trimEnd()), ...(change.after === null ? [] : diffLines(change, ink))];
}

function unchangedText({ state, editor }: SettingsChange): string {
  const what = editor.part === 'hooks' ? 'the hooks' : 'the MCP server';
  if (state === 'other') return 'holds another server called smart-fork, which stays';
  return state === 'absent'
    ? 'nothing of ours'
    : `${what} ${editor.part === 'hooks' ? 'are' : 'is'} there already`;
}

const CONTEXT_LINES = 2;

function diffLines({ editor, before, after }: SettingsChange, { style, columns, symbols }: Ink): string[] {
  const { hunks } = structuredPatch(editor.path, editor.path, before ?? '', after ?? '', '', '', {
    context: CONTEXT_LINES,
  });
  return hunks.flatMap(({ oldStart, newStart, lines }) => [
    style.accent(`  @@ -${oldStart} +${newStart} @@`),
    ...lines
      .filter((line) => !line.startsWith('\\'))
      .flatMap((line) => diffLine(line, { style, columns, symbols })),
  ]);
}

/** What is ours is shown whole, what is around it as far as it fits. */
function diffLine(line: string, { style, columns, symbols }: Ink): string[] {
  const text = truncate(printable(line.slice(1)), LONGEST_LINE, symbols.ellipsis);
  if (line.startsWith(' ')) return [style.dim(`    ${truncate(text, columns - 4, symbols.ellipsis)}`)];
  const paint = line.startsWith('+') ? style.good : style.bad;
  return wrap(text, columns - 4).map((part, i) => paint(`  ${i === 0 ? line[0] : ' '} ${part}`));
}

/** A file may be all on one line. */
const LONGEST_LINE = 600;

/** A line of somebody's file: indented as it is, but with nothing in it that a terminal obeys. */
function printable(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  return indent.replaceAll('\t', '    ') + sanitizeLine(line);
}

const DONE = { none: '', create: 'made', change: 'changed', delete: 'deleted' };

function appliedLines({ change, backup, problem }: AppliedChange, ink: Ink): string[] {
  const { style, symbols } = ink;
  if (problem !== null) return marked(problem.message, style.bad(symbols.fail), problem.hint, ink);
  if (!isChange(change)) return [];
  const copy = backup === null ? undefined : `as it was: ${backup}`;
  return marked(`${change.editor.path} ${DONE[actionOf(change)]}`, style.good(symbols.ok), copy, ink);
}

function marked(text: string, mark: string, more: string | undefined, { columns, style }: Ink): string[] {
  const lines = wrap(sanitizeLine(text), columns - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`);
  const rest = more === undefined ? [] : wrap(sanitizeLine(more), columns - 2);
  return [...lines, ...rest.map((line) => `  ${style.dim(line)}`)];
}
