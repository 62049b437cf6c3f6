import { join } from 'node:path';
import { readRegularFile, statOf } from '../../files/look-at-path.ts';
import { listFolder } from '../../jsonl/list-folder.ts';
import { agentIn } from './subagent-names.ts';

/** The ids of the subagents in a project's folder, where Claude Code 2.0 wrote them, by session. */
export type AgentsBeside = (folder: string) => Map<string, string[]>;

/** Remembers which session each such file belongs to: every search result asks, and it is read from the file's first lines. */
export function createAgentsBeside(): AgentsBeside {
  const owners = new Map<string, string>();
  const folders = new Map<string, { mtimeMs: number; agents: Map<string, string[]> }>();
  const ownerOf = (path: string) => {
    const owner = owners.get(path) ?? SESSION.exec(readRegularFile(path, FIRST_BYTES))?.[1];
    if (owner !== undefined) owners.set(path, owner);
    return owner;
  };
  const list = (folder: string) => {
    const agents = new Map<string, string[]>();
    for (const { name } of listFolder(folder)) {
      const agent = agentIn(name);
      const owner = agent === null ? undefined : ownerOf(join(folder, name));
      if (agent !== null && owner !== undefined) agents.set(owner, [...(agents.get(owner) ?? []), agent]);
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

const SESSION = /"sessionId"\s{0,9}:\s{0,9}"([^"\\]{1,200})"/;
const FIRST_BYTES = 16 * 1024;
const TICK_MS = 2000;
