import type { Agent } from '../../domain/agent/agents.ts';
import { ALL_EVENTS, HOOK_EVENTS, type HookEntry, isOurHook } from '../../domain/machine/agent-hooks.ts';
import type { InstalledEntries, SettingsEditor } from '../../ports/agent-settings.ts';
import { createOwnFileEditor } from './own-file.ts';

/**
 * Edits a script for an agent that loads programs instead of starting hooks. `render` writes it around the commands by event, an object
 * literal, and `RUN`.
 */
export function createHookScriptEditor(
  agent: Agent,
  path: string,
  entries: HookEntry[],
  render: (commands: string) => string,
): SettingsEditor {
  const lines = entries.map(({ event, command }) => `  ${event}: ${JSON.stringify(command)},\n`);
  return createOwnFileEditor({
    agent,
    part: 'hooks',
    path,
    wanted: `${FIRST_LINE}\n${render(`{\n${lines.join('')}}`)}`,
    isOurs: (text) => text.startsWith(FIRST_LINE),
    hooks: hooksIn,
  });
}

const FIRST_LINE = '// Written by smart-fork init, removed by smart-fork uninstall.';

/** A function that starts a command and gives it the session as a hook's input. The agent does not wait for it. */
export const RUN = `function run(command, session) {
  const child = spawn(command, { shell: true, detached: true, stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(session));
  child.unref();
}
`;

/** The hooks in a script that `init` wrote. */
export function hooksIn(text: string): InstalledEntries['hooks'] {
  return ALL_EVENTS.flatMap((event) => {
    const found = new RegExp(`^  ${event}: (".*"),$`, 'm').exec(text)?.[1];
    const command: unknown = found === undefined ? undefined : JSON.parse(found);
    return typeof command === 'string' && isOurHook(command) && command.includes(HOOK_EVENTS[event])
      ? [{ event, command }]
      : [];
  });
}
