import type { AppliedChange, SettingsChange } from '../../app/setup/plan-init.ts';
import type { AgentHome } from '../../compose/init.ts';
import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import type { Launch } from '../../domain/machine/agent-hooks.ts';
import type { IndexSummary } from '../../domain/summary.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';
import { changeRecords } from './render-changes.ts';

/** How to install the plugin instead. */
export function pluginLines(homes: AgentHome[], launch: Launch, look: Look): string {
  const { style, columns } = createInk(look);
  const folder = packageFolder(launch);
  const lines = [...new Set(homes.map(({ agent }) => agent))].flatMap((agent) => {
    const verb = AGENT_ROWS[agent].pluginVerb;
    const words = `  ${agent} plugin`;
    return verb === null
      ? []
      : [`${words} marketplace add ${folder}`, `${words} ${verb} smart-fork@smart-fork`];
  });
  if (lines.length === 0) return '';
  const text = wrap('The plugin does the same. To use it instead of these changes, run:', columns);
  return ['', ...text, ...lines.map(style.command), ''].join('\n');
}

interface Afterwards {
  homes: AgentHome[];
  changed: boolean;
  hooks: boolean;
  storePath: string;
  /** The server's URL, from QDRANT_URL. */
  qdrant: string | null;
  /** Whether SMART_FORK_HOME is set. */
  ownHome: boolean;
  modelReady: boolean;
  /** Passages not embedded yet. */
  waiting: number;
  launch: Launch;
  example: string | null;
}

/** The closing notes of `init`, and a search to try. */
export function afterwardsLines(facts: Afterwards, look: Look): string {
  const ink = createInk(look);
  return [
    '',
    ...noteTexts(facts).flatMap((text) => bullet(text, ink)),
    '',
    ...(facts.example === null
      ? ['Use your agent, then: smart-fork search WHAT YOU WANT TO DO']
      : ['Try it:', `  ${ink.style.command(`smart-fork search ${facts.example}`)}`]),
  ].join('\n');
}

/** What `init --json` prints (docs/json.md). `applied` is null if nothing was done. */
export function initReport(
  homes: AgentHome[],
  plan: SettingsChange[],
  applied: AppliedChange[] | null,
  after: { summary: IndexSummary | null; example: string | null } | null,
): string {
  return JSON.stringify({
    agents: homes.map(({ agent, home, program, plugin }) => ({ agent, home, program, plugin })),
    changes: changeRecords(plan, applied),
    done: applied !== null,
    index: after?.summary ?? null,
    try: after?.example == null ? null : `smart-fork search ${after.example}`,
  });
}

function noteTexts(facts: Afterwards): string[] {
  const { homes, changed, hooks, qdrant, ownHome, modelReady, waiting, launch } = facts;
  const notes = [
    `The index is in ${facts.storePath}${qdrant === null ? '' : `; QDRANT_URL names ${hostOf(qdrant)}`}.`,
  ];
  if (!modelReady) notes.push('Search is keyword only. To search by meaning too: smart-fork model pull');
  else if (waiting > 0)
    notes.push(
      `${plural(waiting, 'passage')} ${waiting === 1 ? 'is' : 'are'} being embedded in the background; smart-fork status shows the progress.`,
    );
  if (changed) notes.push('Restart agents that are running now.');
  if (changed && hooks) notes.push(...trustNotes(homes));
  if (ownHome) notes.push("SMART_FORK_HOME is set: set it in your agents' environment too.");
  if (/[/\\]_npx[/\\]/.test(launch.program))
    notes.push('npx may delete this copy: run npm install -g smart-fork, then smart-fork init again.');
  return notes;
}

/** For agents that run only hooks their user trusts. */
function trustNotes(homes: AgentHome[]): string[] {
  const agents = new Set(homes.flatMap(({ agent, plugin }) => (plugin ? [] : [agent])));
  return [...agents].flatMap((agent) => {
    const { name, hooks } = AGENT_ROWS[agent];
    return hooks.trust === null
      ? []
      : [`${name} runs only hooks you trust: type ${hooks.trust} in ${name} to trust these.`];
  });
}

function packageFolder({ program }: Launch): string {
  return program.replace(/[/\\]dist[/\\](?:bin\.cjs|cli[/\\]main\.js)$/, '');
}

/** The host in a URL, without its login. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL';
}

function bullet(text: string, { columns, symbols }: Ink): string[] {
  const mark = `${symbols.bullet} `;
  return wrap(sanitizeLine(text), columns - mark.length).map(
    (line, i) => (i === 0 ? mark : ' '.repeat(mark.length)) + line,
  );
}
