import { structuredPatch } from 'diff';
import { type AppliedChange, isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { truncate, wrap } from '../terminal/width.ts';

/** Each file that will change, as a diff; a line for each that will not. */
export function renderPlan(plan: SettingsChange[], look: Look): string {
  const ink = createInk(look);
  return plan
    .flatMap((change) => [...planLines(change, ink), ''])
    .join('\n')
    .trimEnd();
}

export function renderApplied(applied: AppliedChange[], look: Look): string {
  const ink = createInk(look);
  return applied.flatMap((one) => appliedLines(one, ink)).join('\n');
}

/** The name of a change, in text and in JSON. */
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
  if (state === 'other') return 'has another server called smart-fork, left alone';
  return state === 'absent'
    ? 'nothing of smart-fork'
    : `${what} ${editor.part === 'hooks' ? 'are' : 'is'} already there`;
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

/** Our lines are shown whole, the lines around them as far as they fit. */
function diffLine(line: string, { style, columns, symbols }: Ink): string[] {
  const text = truncate(printable(line.slice(1)), LONGEST_LINE, symbols.ellipsis);
  if (line.startsWith(' ')) return [style.dim(`    ${truncate(text, columns - 4, symbols.ellipsis)}`)];
  const paint = line.startsWith('+') ? style.good : style.bad;
  return wrap(text, columns - 4).map((part, i) => paint(`  ${i === 0 ? line[0] : ' '} ${part}`));
}

/** A whole file may be on one line. */
const LONGEST_LINE = 600;

/** A line of somebody's file, indented as it is, without anything a terminal would obey. */
function printable(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  return indent.replaceAll('\t', '    ') + sanitizeLine(line);
}

const DONE = { none: '', create: 'created', change: 'changed', delete: 'deleted' };

function appliedLines({ change, backup, problem }: AppliedChange, ink: Ink): string[] {
  const { style, symbols } = ink;
  if (problem !== null) return marked(problem.message, style.bad(symbols.fail), problem.hint, ink);
  if (!isChange(change)) return [];
  const copy = backup === null ? undefined : `backup: ${backup}`;
  return marked(`${change.editor.path} ${DONE[actionOf(change)]}`, style.good(symbols.ok), copy, ink);
}

function marked(text: string, mark: string, more: string | undefined, { columns, style }: Ink): string[] {
  const lines = wrap(sanitizeLine(text), columns - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`);
  const rest = more === undefined ? [] : wrap(sanitizeLine(more), columns - 2);
  return [...lines, ...rest.map((line) => `  ${style.dim(line)}`)];
}
