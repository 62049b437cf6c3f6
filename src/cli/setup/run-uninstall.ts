import { existsSync } from 'node:fs';
import { isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { applyUninstall, planUninstall } from '../../app/setup/plan-uninstall.ts';
import { composeInit } from '../../compose/init.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { Agent } from '../../domain/session/session.ts';
import { type CommandContext, EXIT } from '../run-command.ts';
import { changeRecords } from './init-report.ts';
import { renderApplied, renderPlan } from './render-changes.ts';

export interface UninstallOptions {
  agent?: Agent | undefined;
  yes: boolean;
  dryRun: boolean;
  purge: boolean;
  json: boolean;
}

/** Takes out what init put in; with `purge`, smart-fork's own folder too. */
export async function runUninstall(context: CommandContext, options: UninstallOptions): Promise<void> {
  const { config, parts, terminal } = context;
  const settings = composeInit(config, context.env);
  const editors = settings.everywhere.filter(({ agent }) => (options.agent ?? agent) === agent);
  const plan = planUninstall(settings, editors).filter(
    (change) => isChange(change) || change.problem !== null,
  );
  const purge = options.purge && existsSync(config.home);
  if (!options.json) terminal.out(planText(plan, purge ? config.home : null, context));
  const go = !options.dryRun && (await agreed(context, plan, purge, options));
  const applied = go ? applyUninstall(settings, plan) : null;
  const problems = (applied ?? plan).some(({ problem }) => problem !== null);
  if (problems) process.exitCode = EXIT.failed;
  // The record of what is still to be taken out is in there.
  let left: string[] = [];
  const purged = go && purge && !problems;
  if (purged) {
    await parts.close();
    left = await settings.purge();
  }
  if (options.json) {
    terminal.out(JSON.stringify({ changes: changeRecords(plan, applied), done: go, purged, left }));
  } else if (applied !== null) {
    if (applied.length > 0) terminal.out(renderApplied(applied, terminal));
    if (purged) terminal.out(purgedText(config.home, left));
  }
}

/** What a key sealed on a server outlives this machine's index: who wants the key gone deletes it by hand. */
const KEY_FILE = /^key(?:-|$)/;

function planText(plan: SettingsChange[], purged: string | null, { terminal }: CommandContext): string {
  const parts = plan.length === 0 ? ['Nothing of smart-fork is in the settings of your agents.'] : [];
  if (plan.length > 0) parts.push(renderPlan(plan, terminal));
  if (purged !== null) parts.push(`${purged} and what smart-fork made in it will be deleted.`);
  return parts.join('\n\n');
}

function purgedText(home: string, left: string[]): string {
  const keys = left.filter((name) => KEY_FILE.test(name));
  const foreign = left.filter((name) => !KEY_FILE.test(name));
  const kept =
    keys.length === 0 ? '' : ` Kept: ${keys.join(', ')}, without which nothing sealed can be read.`;
  const rest = foreign.length === 0 ? '' : ` All but ${foreign.join(', ')}, which smart-fork did not make.`;
  return `${home} deleted.${rest}${kept} Transcripts and the embedding model are untouched.`;
}

async function agreed(
  { terminal }: CommandContext,
  plan: SettingsChange[],
  purge: boolean,
  { yes }: UninstallOptions,
): Promise<boolean> {
  if (yes || (!purge && !plan.some(isChange))) return true;
  const question = purge ? 'Delete all this? It cannot be undone.' : 'Make these changes?';
  if (!terminal.interactive) {
    throw new SmartForkError('USAGE', 'nobody can be asked here whether to make these changes', {
      hint: 'Add --yes to make them, --dry-run to see them.',
    });
  }
  const { confirm } = await import('../terminal/prompt.ts');
  return confirm(question, { terminal, defaultYes: !purge });
}
