import type { Config } from '../../config/config.ts';
import { homeVariable } from '../../config/used-home.ts';
import type { Agent } from '../../domain/agent/agents.ts';
import type { Shell } from '../../domain/machine/shell.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { AGENT_SOURCES } from './sources.ts';

/** An agent's transcripts in the configured homes. Only a POSIX shell has a command that sets a variable for another one. */
export function composeSource(agent: Agent, config: Config, shell: Shell): TranscriptSource {
  const place = { homes: config.homes[agent], used: config.usedHomes[agent] };
  return {
    ...AGENT_SOURCES[agent]({ homes: config.transcriptHomes[agent] }),
    inHome(path) {
      const variable = shell === 'posix' ? homeVariable(agent, place, path) : null;
      return variable === null ? [] : ['env', `${variable.name}=${variable.value}`];
    },
  };
}
