import { dirname } from 'node:path';
import { type AppliedChange, isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { CommandContext } from '../run-command.ts';
import { diffLines } from '../shared/render-diff.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** A diff for each file that will change, one line for any other file; skills are counted by folder. */
export function renderPlan(plan: SettingsChange[], look: Look): string {
  const ink = createInk(look);
  return groupChanges(plan, (change) => change)
    .flatMap((group) => {
      const [first] = group;
      if (first === undefined || first.problem !== null || !isChange(first))
        return unchangedLines(group, ink);
      const lines = changedLines(first, group, ink);
      return lines.length > 1 ? [...lines, ''] : lines;
    })
    .join('\n')
    .trimEnd();
}

export function renderApplied(applied: AppliedChange[], look: Look): string {
  const ink = createInk(look);
  const asApplied = ({ change, problem }: AppliedChange) => ({
    ...change,
    problem: problem ?? change.problem,
  });
  return groupChanges(applied, asApplied)
    .flatMap((group) => appliedLines(group, ink))
    .join('\n');
}

/**
 * Groups the changes to one file, and the changes to the skills of one folder, in the order of the plan. A file that is left alone
 * has one line for each reason.
 */
export function groupChanges<T>(changes: T[], changeOf: (one: T) => SettingsChange): T[][] {
  const groups = new Map<string, T[]>();
  changes.forEach((one, i) => {
    const change = changeOf(one);
    const { path, part } = change.editor;
    const key =
      change.problem !== null || (!isChange(change) && (part !== 'skill' || change.state !== 'current'))
        ? `${i}`
        : part === 'skill'
          ? `${dirname(dirname(path))}\0${actionOf(change)}`
          : path;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  });
  return [...groups.values()];
}

function skillsText(skills: SettingsChange[], what: string): string {
  return `${dirname(dirname(skills[0]?.editor.path ?? ''))}: ${plural(skills.length, 'skill')} ${what}`;
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

/** A file that stays as it is, and why. */
export function unchangedLines(group: SettingsChange[], ink: Ink): string[] {
  const { style, symbols } = ink;
  const [first] = group;
  if (first === undefined) return [];
  if (first.problem !== null)
    return marked(first.problem.message, style.bad(symbols.fail), first.problem.hint, ink);
  const text =
    first.editor.part === 'skill' && first.state === 'current'
      ? skillsText(group, 'already there')
      : `${first.editor.path}: ${unchangedText(first)}`;
  return marked(text, style.good(symbols.ok), undefined, ink);
}

function changedLines(first: SettingsChange, group: SettingsChange[], ink: Ink): string[] {
  const { path, part } = first.editor;
  const after = group.at(-1)?.after ?? null;
  const action = actionOf({ ...first, after });
  if (part === 'skill') return [ink.style.strong(sanitizeLine(skillsText(group, WILL[action])))];
  const about = { create: ' (new file)', delete: ' (will be deleted)', change: '', none: '' }[action];
  return [ink.style.strong(`${path}${about}`), ...diffLines({ path, before: first.before, after }, ink)];
}

const WILL = {
  none: '',
  create: 'will be created',
  change: 'will be changed',
  delete: 'will be deleted',
};

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

function appliedLines(group: AppliedChange[], ink: Ink): string[] {
  const { style, symbols } = ink;
  const [first] = group;
  if (first === undefined) return [];
  const { change, problem } = first;
  if (problem !== null) return marked(problem.message, style.bad(symbols.fail), problem.hint, ink);
  if (!isChange(change)) return [];
  const last = group.at(-1)?.change ?? change;
  const done = DONE[actionOf({ ...change, after: last.after })];
  const text =
    change.editor.part === 'skill'
      ? skillsText(
          group.map((one) => one.change),
          done,
        )
      : `${change.editor.path} ${done}`;
  const backup = group.find((one) => one.backup !== null)?.backup;
  return marked(text, style.good(symbols.ok), backup == null ? undefined : `backup: ${backup}`, ink);
}

function marked(text: string, mark: string, more: string | undefined, { columns, style }: Ink): string[] {
  const lines = wrap(sanitizeLine(text), columns - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`);
  const rest = more === undefined ? [] : wrap(sanitizeLine(more), columns - 2);
  return [...lines, ...rest.map((line) => `  ${style.dim(line)}`)];
}
