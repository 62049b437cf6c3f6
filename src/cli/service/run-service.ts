import { resolve } from 'node:path';
import {
  changedFile,
  installService,
  planRemoval,
  planService,
  removeService,
  type ServiceDependencies,
  type ServicePlan,
} from '../../app/service/plan-service.ts';
import { readService } from '../../app/service/read-service.ts';
import { isAnswering, readServerRecord, type ServerRecord } from '../../compose/serve/serve-token.ts';
import { serviceDependencies, serviceJob, unseenVariables } from '../../compose/service/service.ts';
import { type CommandContext, EXIT, type GlobalArguments } from '../run-command.ts';
import { renderPlannedService, renderServiceStatus, serviceDone, unseenLines } from './render-service.ts';

interface ServiceArguments extends GlobalArguments {
  action: 'install' | 'uninstall' | 'status';
  tokenFile?: string;
  yes?: boolean;
  dryRun?: boolean;
  force?: boolean;
}

export async function runService(context: CommandContext, args: ServiceArguments): Promise<void> {
  const deps = serviceDependencies(context.config, context.env);
  if (args.action === 'install') await install(context, args, deps);
  else if (args.action === 'uninstall') await uninstall(context, args, deps);
  else await showStatus(context, args, deps);
}

async function install(context: CommandContext, args: ServiceArguments, deps: ServiceDependencies) {
  const { config, env, terminal } = context;
  const tokenFile = args.tokenFile === undefined ? null : resolve(args.tokenFile);
  const { job, programs } = serviceJob(config, env, tokenFile);
  const plan = planService(deps, job);
  const say = sayTo(context, args);
  say(renderPlannedService(plan, terminal));
  const go = await mayGo(context, args, 'Write this file and start the service?');
  const earlier = readServerRecord(config.home);
  const backup = go ? await installService(deps, plan, programs) : null;
  if (args.json) return terminal.out(JSON.stringify({ ...recordOf(plan, deps), backup, done: go }));
  const unseen = unseenVariables(config);
  if (unseen.length > 0) terminal.err(unseenLines(unseen, terminal.errorLook));
  if (!go) return;
  say(
    serviceDone(`${deps.manager.name} starts smart-fork serve, now and when you log in.`, backup, terminal),
  );
  const now = readServerRecord(config.home);
  if (now !== null && now.pid === earlier?.pid) terminal.err(besides(now));
}

/** Mentions a server started by hand: the service's own would have been restarted. */
function besides({ pid, url }: ServerRecord): string {
  return `smart-fork serve is already running at ${url} (process ${pid}), and only one server runs per machine. Stop it, then run this command again.`;
}

async function uninstall(context: CommandContext, args: ServiceArguments, deps: ServiceDependencies) {
  const { terminal } = context;
  const plan = planRemoval(deps);
  const say = sayTo(context, args);
  if (plan.isForeign && args.force !== true) throw changedFile(plan.path);
  say(renderPlannedService(plan, terminal));
  const go = plan.before !== null && (await mayGo(context, args, 'Stop the service and delete this file?'));
  if (go) await removeService(deps, plan, args.force === true);
  if (args.json) terminal.out(JSON.stringify({ ...recordOf(plan, deps), backup: null, done: go }));
  else if (go) say(serviceDone('The service is stopped, and its file deleted.', null, terminal));
}

async function showStatus(
  { config, terminal }: CommandContext,
  args: ServiceArguments,
  deps: ServiceDependencies,
) {
  const status = await readService(deps, async () => {
    const record = readServerRecord(config.home);
    return record !== null && (await isAnswering(record.url)) ? record : null;
  });
  if (status.gone !== null) process.exitCode = EXIT.failed;
  terminal.out(args.json ? JSON.stringify(status) : renderServiceStatus(status, terminal));
}

function sayTo({ terminal }: CommandContext, { json }: ServiceArguments): (text: string) => void {
  return (text) => {
    if (!json) terminal.out(text);
  };
}

async function mayGo(
  { terminal }: CommandContext,
  args: ServiceArguments,
  question: string,
): Promise<boolean> {
  if (args.dryRun === true) return false;
  if (args.yes === true) return true;
  const { confirm } = await import('../terminal/prompt.ts');
  const hint = 'Add --yes to make the change, --dry-run to see it.';
  return confirm(question, { terminal, defaultYes: true, hint });
}

function recordOf({ path, before, after }: ServicePlan, { manager }: ServiceDependencies) {
  const action =
    before === after ? 'none' : before === null ? 'create' : after === null ? 'delete' : 'change';
  return { manager: manager.name, path, action };
}
