import { existsSync } from 'node:fs';
import { isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { applyUninstall, planUninstall } from '../../app/setup/plan-uninstall.ts';
import { composeInit } from '../../compose/init.ts';
import type { Agent } from '../../domain/session/session.ts';
import { type CommandContext, EXIT, type GlobalArguments } from '../run-command.ts';
import { changeRecords, confirmChanges, renderApplied, renderPlan } from './render-changes.ts';

export interface UninstallArguments extends GlobalArguments {
  agent?: Agent | undefined;
  yes?: boolean | undefined;
  dryRun?: boolean | undefined;
  purge?: boolean | undefined;
}

/** Removes what init added; with `purge`, smart-fork's own folder too. */
export async function runUninstall(context: CommandContext, options: UninstallArguments): Promise<void> {
  const { config, parts, terminal } = context;
  const settings = composeInit(config, context.env);
  const editors = settings.everywhere.filter(({ agent }) => (options.agent ?? agent) === agent);
  const plan = planUninstall(settings, editors).filter(
    (change) => isChange(change) || change.problem !== null,
  );
  const purge = options.purge === true && existsSync(config.home);
  if (!options.json) terminal.out(planText(plan, purge ? config.home : null, context));
  const isNeeded = purge || plan.some(isChange);
  const asked = purge
    ? { plan, question: 'Delete all this? It cannot be undone.', defaultYes: false }
    : { plan, defaultYes: true };
  const go = !options.dryRun && (options.yes || !isNeeded || (await confirmChanges(asked, context)));
  const applied = go ? applyUninstall(settings, plan) : null;
  const problems = (applied ?? plan).some(({ problem }) => problem !== null);
  if (problems) process.exitCode = EXIT.failed;
  // After a problem the folder is needed: it records what is still to be removed.
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

/** Data encrypted with a key outlives this machine's index, so smart-fork never deletes a key. */
const KEY_FILE = /^key(?:-|$)/;

function planText(plan: SettingsChange[], purged: string | null, { terminal }: CommandContext): string {
  const parts =
    plan.length === 0 ? ["Nothing to remove: your agents' settings have no smart-fork entries."] : [];
  if (plan.length > 0) parts.push(renderPlan(plan, terminal));
  if (purged !== null) parts.push(`Everything smart-fork created in ${purged} will be deleted.`);
  return parts.join('\n\n');
}

function purgedText(home: string, left: string[]): string {
  const keys = left.filter((name) => KEY_FILE.test(name));
  const foreign = left.filter((name) => !KEY_FILE.test(name));
  const kept =
    keys.length === 0
      ? ''
      : ` Kept: ${keys.join(', ')}, because encrypted sessions cannot be read without it.`;
  const rest =
    foreign.length === 0 ? '' : ` Left alone: ${foreign.join(', ')}, which smart-fork did not create.`;
  return `Deleted ${home}.${rest}${kept} Transcripts and the embedding model are untouched.`;
}
