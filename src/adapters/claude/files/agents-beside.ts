import { join } from 'node:path';
import { statOf } from '../../files/look-at-path.ts';
import { listFolder } from '../../jsonl/list-folder.ts';
import { sessionInside } from './inner-ids.ts';
import { agentIn } from './subagent-names.ts';

/** The ids of the subagents in a project's folder, where Claude Code 2.0 wrote them, by session. */
export type AgentsBeside = (folder: string) => Map<string, string[]>;

/** Remembers which session each such file belongs to: every search result asks, and it is read from the file's first lines. */
export function createAgentsBeside(): AgentsBeside {
  const owners = new Map<string, string>();
  const folders = new Map<string, { mtimeMs: number; agents: Map<string, string[]> }>();
  const ownerOf = (path: string) => {
    const owner = owners.get(path) ?? sessionInside(path);
    if (owner !== null) owners.set(path, owner);
    return owner;
  };
  const list = (folder: string) => {
    const agents = new Map<string, string[]>();
    for (const { name } of listFolder(folder)) {
      const agent = agentIn(name);
      const owner = agent === null ? null : ownerOf(join(folder, name));
      if (agent !== null && owner !== null) agents.set(owner, [...(agents.get(owner) ?? []), agent]);
    }
    return agents;
  };
  return (folder) => {
    const mtimeMs = statOf(folder)?.mtimeMs ?? 0;
    let known = folders.get(folder);
    if (known?.mtimeMs !== mtimeMs) {
      known = { mtimeMs, agents: list(folder) };
      // A folder may change again within one tick of its clock.
      if (Date.now() - mtimeMs > TICK_MS) folders.set(folder, known);
    }
    return known.agents;
  };
}

const TICK_MS = 2000;
