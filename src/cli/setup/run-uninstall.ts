import { existsSync } from 'node:fs';
import { isChange, type SettingsChange } from '../../app/setup/plan-init.ts';
import { applyUninstall, planUninstall } from '../../app/setup/plan-uninstall.ts';
import { composeInit } from '../../compose/init.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import { type CommandContext, EXIT, type GlobalArguments } from '../run-command.ts';
import { renderPlannedService, serviceDone } from '../service/render-service.ts';
import { type ServiceRemoval, serviceRecord, serviceRemoval } from '../service/service-removal.ts';
import { renderError } from '../shared/render-error.ts';
import {
  type ChangeQuestion,
  changeRecords,
  confirmChanges,
  renderApplied,
  renderPlan,
} from './render-changes.ts';

interface UninstallArguments extends GlobalArguments {
  agent?: Agent;
  yes?: boolean;
  dryRun?: boolean;
  purge?: boolean;
}

/** Removes what init added, and the service; with `purge`, smart-fork's own folder too. */
export async function runUninstall(context: CommandContext, options: UninstallArguments): Promise<void> {
  const { config, parts, terminal } = context;
  const settings = composeInit(config, context.env);
  const editors = settings.everywhere.filter(({ agent }) => (options.agent ?? agent) === agent);
  const plan = planUninstall(settings, editors).filter(
    (change) => isChange(change) || change.problem !== null,
  );
  const service = options.agent === undefined ? serviceRemoval(context) : null;
  const purge = options.purge === true && existsSync(config.home);
  if (!options.json) terminal.out(planText(plan, service, purge ? config.home : null, context));
  const isNeeded = purge || plan.some(isChange) || (service !== null && service.problem === null);
  const go =
    !options.dryRun && (options.yes || !isNeeded || (await confirmChanges(asked(plan, purge), context)));
  // First, because the service's server has the index open.
  const notStopped = go && service !== null ? await service.apply() : (service?.problem ?? null);
  const applied = go ? applyUninstall(settings, plan) : null;
  const problems = notStopped !== null || (applied ?? plan).some(({ problem }) => problem !== null);
  if (problems) process.exitCode = EXIT.failed;
  // After a problem the folder is still needed: it records what remains to be removed.
  let left: string[] = [];
  const purged = go && purge && !problems;
  if (purged) {
    await parts.close();
    left = await settings.purge();
  }
  const record = service === null ? null : serviceRecord(service, notStopped, go);
  if (options.json) {
    const changes = changeRecords(plan, applied);
    terminal.out(JSON.stringify({ changes, service: record, done: go, purged, left }));
  } else if (applied !== null) {
    if (applied.length > 0) terminal.out(renderApplied(applied, terminal));
    if (record?.removed) terminal.out(serviceDone(`${record.path} deleted`, null, terminal));
    if (notStopped !== null && service?.problem === null)
      terminal.err(renderError(notStopped, terminal.errorLook));
    if (purged) terminal.out(purgedText(config.home, left));
    else if (!purge && existsSync(config.home))
      terminal.out(
        `The index and the archive stay in ${config.home}. To delete them: smart-fork uninstall --purge\n${REMOVE_PROGRAM}`,
      );
  }
}

function asked(plan: SettingsChange[], purge: boolean): ChangeQuestion {
  if (!purge) return { plan, defaultYes: true };
  return { plan, question: 'Delete all this? This cannot be undone.', defaultYes: false };
}

const REMOVE_PROGRAM = 'To remove the program too: npm uninstall -g smart-fork';

/** Data encrypted with a key outlives this machine's index, so smart-fork never deletes a key. */
const KEY_FILE = /^key(?:-|$)/;

function planText(
  plan: SettingsChange[],
  service: ServiceRemoval | null,
  purged: string | null,
  { terminal }: CommandContext,
): string {
  const parts =
    plan.length === 0
      ? ["Nothing to remove from your agents' settings: they have no smart-fork entries."]
      : [];
  if (plan.length > 0) parts.push(renderPlan(plan, terminal));
  if (service !== null)
    parts.push(
      service.problem === null
        ? renderPlannedService(service.plan, terminal)
        : renderError(service.problem, terminal),
    );
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
    foreign.length === 0 ? '' : ` Not deleted: ${foreign.join(', ')}, which smart-fork did not create.`;
  return `Deleted ${home}.${rest}${kept} Transcripts and the embedding model are untouched. ${REMOVE_PROGRAM}`;
}
