import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { homeVariable } from '../../config/used-home.ts';
import { AGENT_ROWS, AGENTS, type Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { Shell } from '../../domain/machine/shell.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { AGENT_SOURCES } from './sources.ts';

/**
 * Each agent's transcripts in the configured homes. Only a POSIX shell has a command that sets a variable for another one.
 * @param onlyPresent leaves out the readers of agents that write nothing here and that nothing can be started with
 */
export async function composeSources(
  config: Config,
  shell: Shell,
  onlyPresent: boolean,
): Promise<TranscriptSource[]> {
  return Promise.all(
    AGENTS.map(async (agent) => {
      const homes = config.transcriptHomes[agent];
      const isAbsent = onlyPresent && AGENT_ROWS[agent].program === null && !homes.some(existsSync);
      if (isAbsent) return withoutTranscripts(agent);
      const place = { homes: config.homes[agent], used: config.usedHomes[agent] };
      const create = await AGENT_SOURCES[agent]();
      return {
        ...create({ homes }),
        inHome(path: string) {
          const variable = shell === 'posix' ? homeVariable(agent, place, path) : null;
          return variable === null ? [] : ['env', `${variable.name}=${variable.value}`];
        },
      };
    }),
  );
}

function withoutTranscripts(agent: Agent): TranscriptSource {
  return {
    agent,
    roots: [],
    find: () => [],
    inspect: () => null,
    locate: () => null,
    head: () => ({ fingerprint: null, workingDirectory: null }),
    read(path) {
      throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: it is not on this machine`);
    },
    readSteps: () => undefined,
    findInheritance: () => null,
    digest: () => [],
  };
}
