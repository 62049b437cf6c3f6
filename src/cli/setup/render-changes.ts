import { dirname } from 'node:path';
import { type AppliedChange, isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { CommandContext } from '../run-command.ts';
import { diffLines } from '../shared/render-diff.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** A diff for each file that will change, one line for any other file; removed skills are counted by folder. */
export function renderPlan(plan: SettingsChange[], look: Look): string {
  const ink = createInk(look);
  const isGoing = (change: SettingsChange) =>
    change.editor.part === 'skill' && change.problem === null && actionOf(change) === 'delete';
  const isThere = (change: SettingsChange) =>
    change.editor.part === 'skill' &&
    change.problem === null &&
    change.state === 'current' &&
    !isChange(change);
  const going = skillFolders(plan.filter(isGoing), () => 'will be deleted');
  const there = skillFolders(plan.filter(isThere), () => 'already there');
  return [
    ...plan
      .filter((change) => !isGoing(change) && !isThere(change))
      .flatMap((change) => [...planLines(change, ink), ...(isChange(change) ? [''] : [])]),
    ...there.flatMap((text) => marked(text, ink.style.good(ink.symbols.ok), undefined, ink)),
    ...going.map((text) => ink.style.strong(sanitizeLine(text))),
  ]
    .join('\n')
    .trimEnd();
}

export function renderApplied(applied: AppliedChange[], look: Look): string {
  const ink = createInk(look);
  const skills = applied.filter(({ change }) => change.editor.part === 'skill');
  const done = skills.filter(({ change, problem }) => problem === null && isChange(change));
  return [
    ...applied.filter((one) => !done.includes(one)).flatMap((one) => appliedLines(one, ink)),
    ...skillFolders(
      done.map(({ change }) => change),
      (change) => DONE[actionOf(change)],
    ).flatMap((text) => marked(text, ink.style.good(ink.symbols.ok), undefined, ink)),
  ].join('\n');
}

/** One line per folder, because each skill is a separate file. */
function skillFolders(changes: SettingsChange[], what: (change: SettingsChange) => string): string[] {
  const counts = new Map<string, number>();
  for (const change of changes) {
    const key = `${dirname(dirname(change.editor.path))}\0${what(change)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => key.replace('\0', `: ${plural(count, 'skill')} `));
}

export interface ChangeQuestion {
  /** Printed line by line on request. */
  plan: SettingsChange[];
  question?: string;
  defaultYes: boolean;
}

export async function confirmChanges(
  { plan, question = 'Make these changes?', defaultYes }: ChangeQuestion,
  { terminal }: CommandContext,
): Promise<boolean> {
  const { confirm } = await import('../terminal/prompt.ts');
  const hint = 'Add --yes to make the changes, --dry-run to see them.';
  const showMore = () => terminal.out(renderPlan(plan.filter(isChange), terminal));
  return confirm(question, { terminal, defaultYes, hint, showMore });
}

/** The `changes` in `init --json` and `uninstall --json` (docs/json.md). `applied` is null if nothing was done. */
export function changeRecords(plan: SettingsChange[], applied: AppliedChange[] | null) {
  return plan.map((change, i) => {
    const problem = applied?.[i]?.problem ?? change.problem;
    return {
      agent: change.editor.agent,
      part: change.editor.part,
      path: change.editor.path,
      action: problem === null ? actionOf(change) : 'refused',
      backup: applied?.[i]?.backup ?? null,
      error: problem === null ? null : { code: problem.code, message: problem.message },
    };
  });
}

function actionOf(change: SettingsChange): 'none' | 'create' | 'change' | 'delete' {
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
  if (change.editor.part === 'skill' && change.after !== null)
    return [style.strong(`${title.trimEnd()}, ${change.after.split('\n').length} lines`)];
  return [style.strong(title.trimEnd()), ...diffLines({ path, ...change }, ink)];
}

function unchangedText({ state, editor }: SettingsChange): string {
  const what = { hooks: 'the hooks', server: 'the MCP server', skill: 'the skill' }[editor.part];
  if (state === 'other')
    return editor.part === 'skill'
      ? 'another skill of this name, left unchanged'
      : 'has another server called smart-fork, left unchanged';
  return state === 'absent'
    ? 'no smart-fork entries'
    : `${what} ${editor.part === 'hooks' ? 'are' : 'is'} already there`;
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
