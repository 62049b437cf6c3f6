import { suggestSearch } from '../../app/search/suggest-search.ts';
import { applyInit } from '../../app/setup/apply-init.ts';
import { type AppliedChange, isChange, planInit, type SettingsChange } from '../../app/setup/plan-init.ts';
import { type AgentHome, type AgentSettings, composeInit } from '../../compose/init.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { IndexSummary } from '../../domain/summary.ts';
import { runIndexing } from '../index/run-indexing.ts';
import { type CommandContext, EXIT, type GlobalArguments } from '../run-command.ts';
import { summarizePlan } from './plan-lines.ts';
import { confirmChanges, renderApplied, renderPlan } from './render-changes.ts';
import { afterwardsLines, initReport, pluginLines } from './render-init.ts';

interface InitArguments extends GlobalArguments {
  agent?: Agent;
  yes?: boolean;
  dryRun?: boolean;
  diff?: boolean;
  hooks: boolean;
  mcp: boolean;
  skills: boolean;
  /** Undefined: ask, if there is a terminal. */
  model?: boolean;
  index: boolean;
}

/** Sets up the agents, the model and the first index, and suggests a search to try. */
export async function runInit(context: CommandContext, options: InitArguments): Promise<void> {
  const settings = composeInit(context.config, context.env);
  const homes = chooseHomes(settings, options);
  const plan = planInit(settings, editorsOf(homes, options));
  const say = (text: string) => {
    if (!options.json && text !== '') context.terminal.out(text);
  };
  say(planText(homes, plan, options, context));
  if (plan.some(isChange) && options.dryRun) say(pluginLines(homes, settings.launch, context.terminal));
  const agreed = options.yes || !plan.some(isChange);
  if (options.dryRun || !(agreed || (await confirmChanges({ plan, defaultYes: true }, context)))) {
    if (options.json) context.terminal.out(initReport(homes, plan, null, null));
    else if (!options.dryRun) say('Nothing was changed.');
    return failWhere(plan);
  }
  const applied = applyInit(settings, plan);
  failWhere(applied);
  say(renderApplied(applied, context.terminal));
  const wantsModel = await wantModel(context, options);
  const summary = options.index ? await index(context, options, say) : null;
  const pulled = wantsModel && !context.signal.aborted && (await pull(context, options, say));
  await finish(context, { homes, plan, applied, summary, options, settings, pulled });
}

/** With --diff, every line. */
function planText(
  homes: AgentHome[],
  plan: SettingsChange[],
  { diff, dryRun, agent }: InitArguments,
  { terminal }: CommandContext,
): string {
  if (diff) return renderPlan(plan, terminal);
  const summary = summarizePlan(homes, plan, terminal);
  if (!plan.some(isChange)) return summary;
  const notes = ['To undo all this: smart-fork uninstall'];
  const [first] = homes;
  if (agent === undefined && first !== undefined && homes.length > 1)
    notes.push(`To set up one agent only: smart-fork init --agent ${first.agent}`);
  if (dryRun) notes.push('To see every line: smart-fork init --dry-run --diff');
  return [summary, '', ...notes].join('\n');
}

interface Finished {
  homes: AgentHome[];
  plan: SettingsChange[];
  applied: AppliedChange[];
  summary: IndexSummary | null;
  options: InitArguments;
  settings: AgentSettings;
  pulled: boolean;
}

function chooseHomes({ homes }: AgentSettings, { agent }: InitArguments): AgentHome[] {
  const chosen =
    agent === undefined
      ? homes.filter(({ exists, program }) => exists || program !== null)
      : homes.filter((one) => one.agent === agent);
  if (chosen.length > 0) return chosen;
  const folders = homes.map(({ home }) => home).join(', ');
  throw new SmartForkError(
    'CONFIG_INVALID',
    `no agent found: ${folders} do not exist, and none of their programs is on the PATH`,
    {
      hint: 'Install one, or set it up in advance: smart-fork init --agent claude',
    },
  );
}

function editorsOf(homes: AgentHome[], { hooks, mcp, skills }: InitArguments) {
  const wanted = { hooks, server: mcp, skill: skills };
  return homes
    .filter(({ plugin }) => !plugin)
    .flatMap(({ editors }) => editors)
    .filter(({ part }) => wanted[part]);
}

/** Whether a model is installed, or none is needed. */
async function isEmbedded(parts: CommandContext['parts']): Promise<boolean> {
  const { state } = await parts.embedding.state();
  return state === 'ready' || state === 'server';
}

async function wantModel({ parts, terminal }: CommandContext, options: InitArguments): Promise<boolean> {
  if (await isEmbedded(parts)) return false;
  if (options.model !== undefined || options.yes || !terminal.interactive) return options.model === true;
  const { confirm } = await import('../terminal/prompt.ts');
  const question = 'Download the embedding model (about 140 MB)? Without it, search is keyword only.';
  return confirm(question, { terminal, defaultYes: true });
}

async function index(
  context: CommandContext,
  { json = false }: InitArguments,
  say: (text: string) => void,
): Promise<IndexSummary> {
  const summary = await runIndexing(context, { force: false, embed: false, keep: true, quiet: json });
  const { renderIndexSummary } = await import('../index/render-index-summary.ts');
  say(renderIndexSummary(summary, context.terminal));
  return summary;
}

/** A failed download does not stop the setup. */
async function pull(
  context: CommandContext,
  { json = false }: InitArguments,
  say: (text: string) => void,
): Promise<boolean> {
  try {
    const { runModelPull } = await import('../index/run-model-pull.ts');
    say(`The embedding model is in ${await runModelPull(context, json)}.`);
    return true;
  } catch (error) {
    if (context.signal.aborted) return false;
    context.terminal.err(`The embedding model was not downloaded: ${errorText(error)}`);
    context.terminal.err('Until then search is keyword only. Try again at any time: smart-fork model pull');
    return false;
  }
}

async function finish(context: CommandContext, finished: Finished): Promise<void> {
  const { config, parts, terminal, env } = context;
  const { homes, plan, applied, summary, options, settings } = finished;
  const example = parts.storeExists() ? await suggestSearch(await parts.store()) : null;
  const modelReady = finished.pulled || (await isEmbedded(parts));
  const waiting = summary === null ? 0 : summary.waiting.chunks + summary.waiting.intents;
  if (modelReady && waiting > 0 && !context.signal.aborted) settings.startWorker();
  if (options.json) return terminal.out(initReport(homes, plan, applied, { summary, example }));
  terminal.out(
    afterwardsLines(
      {
        homes,
        changed: applied.some(({ change, problem }) => problem === null && isChange(change)),
        hooks: options.hooks,
        storePath: parts.localFile.path,
        qdrant: config.qdrant?.url ?? null,
        ownHome: env.SMART_FORK_HOME !== undefined,
        modelReady,
        waiting,
        launch: settings.launch,
        example,
      },
      terminal,
    ),
  );
}

function failWhere(results: { problem: SmartForkError | null }[]): void {
  if (results.some(({ problem }) => problem !== null)) process.exitCode = EXIT.failed;
}
