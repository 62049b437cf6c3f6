import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { errorText } from '../../domain/errors.ts';
import { leavesJob } from '../../domain/machine/agent-hooks.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import type {
  EntryProbe,
  HookTrial,
  InstalledEntries,
  SettingsEditor,
  SettingsFiles,
  SettingsState,
} from '../../ports/agent-settings.ts';

interface CheckedHome {
  agent: Agent;
  plugin: boolean;
  /** Whether `memory.suggest` needs the prompt hook. */
  suggests: boolean;
  editors: SettingsEditor[];
  /** Events whose hooks the agent does not run because the user has not trusted them. */
  untrusted: () => string[];
}

/** Users notice slower hooks, because the agent waits for them after each answer. */
const SLOW_MS = 1000;

/** Runs each installed hook and starts each registered MCP server. Never throws. */
export async function checkEntries(
  homes: CheckedHome[],
  files: SettingsFiles,
  probe: EntryProbe,
): Promise<HealthCheck[]> {
  const checks: HealthCheck[] = [];
  const once = tryingOnce(probe);
  for (const { agent, plugin, suggests, editors, untrusted } of homes) {
    for (const editor of editors.filter(({ part }) => part !== 'skill')) {
      const name = `${AGENT_ROWS[agent].shortName} ${editor.part === 'hooks' ? 'hooks' : 'MCP'}`;
      const found = await checkOne(editor, { plugin, suggests }, files, once);
      const ignored = editor.part === 'hooks' && found.status === 'ok' && !plugin ? untrusted() : [];
      checks.push({ name, ...(ignored.length > 0 ? notTrusted(agent, ignored) : found) });
    }
    const skills = editors.filter(({ part }) => part === 'skill');
    checks.push({ name: `${AGENT_ROWS[agent].shortName} skills`, ...checkSkills(skills, plugin, files) });
  }
  return checks;
}

/** Agents have the same entries: a command is run once for all of them. */
function tryingOnce(probe: EntryProbe): EntryProbe {
  const once = <T, R>(ask: (what: T) => Promise<R>) => {
    const answers = new Map<string, Promise<R>>();
    return (what: T) => {
      const key = JSON.stringify(what);
      const answer = answers.get(key) ?? ask(what);
      answers.set(key, answer);
      return answer;
    };
  };
  return { tryHook: once(probe.tryHook), askServer: once(probe.askServer) };
}

type Finding = Omit<HealthCheck, 'name'>;

async function checkOne(
  editor: SettingsEditor,
  { plugin, suggests }: Pick<CheckedHome, 'plugin' | 'suggests'>,
  files: SettingsFiles,
  probe: EntryProbe,
): Promise<Finding> {
  let found: InstalledEntries;
  try {
    found = editor.installed(files.read(editor.path) ?? '');
  } catch (error) {
    return { status: 'fail', message: errorText(error), fix: `Fix ${editor.path}.` };
  }
  const { hooks, server } = found;
  if (hooks.length === 0 && server === null) return missing(plugin);
  if (plugin) {
    const message = `installed by the plugin and in ${editor.path}`;
    return { status: 'warn', message, fix: 'smart-fork uninstall removes them from the settings.' };
  }
  return server === null ? tryHooks(found, suggests, probe) : tryServer(found, probe);
}

function missing(plugin: boolean): Finding {
  if (plugin) return { status: 'ok', message: 'installed by the plugin' };
  return { status: 'warn', message: 'not installed', fix: 'smart-fork init' };
}

function notTrusted(agent: Agent, events: string[]): Finding {
  const { name, hooks } = AGENT_ROWS[agent];
  const message = `${events.join(', ')}: not trusted yet, so ${name} does not run them`;
  return { status: 'warn', message, fix: `Type ${hooks.trust} in ${name} and trust them.` };
}

function checkSkills(skills: SettingsEditor[], plugin: boolean, files: SettingsFiles): Finding {
  if (plugin) return { status: 'ok', message: 'installed by the plugin' };
  const states = skills.map((skill) => stateOf(skill, files));
  const missing = states.filter((state) => state === 'absent').length;
  const outdated = states.filter((state) => state === 'outdated').length;
  const fix = 'smart-fork init';
  if (missing > 0) return { status: 'note', message: `${missing} of ${skills.length} not installed`, fix };
  if (outdated > 0)
    return { status: 'note', message: `${outdated} of ${skills.length} from another version`, fix };
  return { status: 'ok', message: `${skills.length} installed` };
}

/** An unreadable file is not one of ours. */
function stateOf(skill: SettingsEditor, files: SettingsFiles): SettingsState {
  try {
    return skill.state(files.read(skill.path) ?? '');
  } catch {
    return 'other';
  }
}

async function tryHooks({ hooks }: InstalledEntries, suggests: boolean, probe: EntryProbe): Promise<Finding> {
  let slowest = 0;
  for (const { event, command } of hooks) {
    const trial = await probe.tryHook(command);
    const fault = faultOf(trial, leavesJob(event));
    if (fault !== null)
      return { status: 'fail', message: `${event}: ${fault} (${command})`, fix: 'smart-fork init' };
    slowest = Math.max(slowest, trial.ms);
  }
  const message = `${hooks.map(({ event }) => event).join(', ')}: run, the slowest in ${Math.round(slowest)} ms`;
  if (suggests && !hooks.some(({ event }) => !leavesJob(event)))
    return {
      status: 'note',
      message: `${message}; memory.suggest needs a UserPromptSubmit hook, which is not installed`,
      fix: 'smart-fork init',
    };
  if (slowest <= SLOW_MS) return { status: 'ok', message };
  return {
    status: 'warn',
    message,
    fix: 'The agent waits for it after each answer. Check whether this machine is overloaded.',
  };
}

function faultOf({ exitCode, output, leftJob, ms }: HookTrial, mustLeaveJob: boolean): string | null {
  if (exitCode === null) return `still running after ${Math.round(ms / 1000)} s`;
  if (mustLeaveJob && !leftJob)
    return output === '' ? 'left no job for the worker' : `left no job for the worker: ${output}`;
  if (exitCode !== 0) return `exited with code ${exitCode}`;
  return output === '' ? null : `printed: ${output}`;
}

async function tryServer({ server }: InstalledEntries, probe: EntryProbe): Promise<Finding> {
  if (server === null) return missing(false);
  const answer = await probe.askServer(server);
  if (answer.ok) {
    const message = `${answer.name} ${answer.version} answers in ${Math.round(answer.ms)} ms`;
    return { status: 'ok', message };
  }
  const command = [server.command, ...server.args].join(' ');
  return { status: 'fail', message: `${answer.reason} (${command})`, fix: 'smart-fork init' };
}
