import { findProgram, type ProgramSearch } from '../adapters/system/find-program.ts';
import { type Environment, programPath } from '../config/environment.ts';
import { AGENT_ROWS, type Agent } from '../domain/agent/agents.ts';

/** Where to look for programs that smart-fork starts by name. */
export function programSearch(env: Environment): ProgramSearch {
  return { path: programPath(env), platform: process.platform };
}

/** The path of an agent's program; null if it is not on the PATH, or if the agent has none. */
export function programOf(agent: Agent, search: ProgramSearch): string | null {
  const { program } = AGENT_ROWS[agent];
  return program === null ? null : findProgram(program.command, search);
}

/** The path of a program on the PATH, or null. Starting it by its bare name could run a program in the current folder. */
export function pathOfProgram(name: string, env: Environment): string | null {
  return findProgram(name, programSearch(env));
}
