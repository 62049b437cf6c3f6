import { join } from 'node:path';
import { isRecord } from '../../domain/is-record.ts';
import { ALL_EVENTS, type HookEvent, isOurHook } from '../../domain/machine/agent-hooks.ts';
import type { AgentSetup, InstalledEntries } from '../../ports/agent-settings.ts';
import { asList, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import { createOwnFileEditor } from '../settings/own-file.ts';
import { createServerJsonEditor } from '../settings/server-json.ts';

/** How `init` sets up Copilot CLI, which reads hooks from every file in a folder. */
export const copilotSetup: AgentSetup = {
  paths: (folder) => ({
    folder,
    hooks: join(folder, 'hooks', 'smart-fork.json'),
    server: join(folder, 'mcp-config.json'),
    skills: join(folder, 'skills'),
  }),
  events: ['Stop', 'SubagentStop', 'SessionEnd'],
  hooks(path, entries) {
    const hooks = Object.fromEntries(
      entries.map(({ event, command, timeout }) => [
        NAMES[event] ?? event,
        [{ type: 'command', command, timeout }],
      ]),
    );
    const wanted = `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
    return createOwnFileEditor({ agent: 'copilot', part: 'hooks', path, wanted, isOurs, hooks: hooksIn });
  },
  server: (path, entry) =>
    createServerJsonEditor('copilot', path, entry, { more: { type: 'local', tools: ['*'] } }),
};

const NAMES: Partial<Record<HookEvent, string>> = {
  Stop: 'agentStop',
  SubagentStop: 'subagentStop',
  SessionEnd: 'sessionEnd',
};

/** Without hooks of the user's. */
function isOurs(text: string): boolean {
  const hooks = asRecord(asRecord(parseJson(text))?.hooks) ?? {};
  const ours = hooksIn(text).length;
  return ours > 0 && Object.values(hooks).flatMap(asList).length === ours;
}

function hooksIn(text: string): InstalledEntries['hooks'] {
  const hooks = asRecord(asRecord(parseJson(text))?.hooks);
  return ALL_EVENTS.flatMap((event) =>
    asList(hooks?.[NAMES[event] ?? event]).flatMap((one) => {
      const command = isRecord(one) ? asText(one.command) : null;
      return command !== null && isOurHook(command) ? [{ event, command }] : [];
    }),
  );
}
