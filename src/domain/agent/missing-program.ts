import { SmartForkError } from '../errors.ts';
import type { AgentProgramRow } from './agents.ts';

/** What is said about an agent's program that is not installed. */
export function missingProgram({ command, package: name }: AgentProgramRow): {
  message: string;
  hint: string;
} {
  return { message: `${command} is not on PATH`, hint: `Install it: npm install -g ${name}` };
}

export function agentMissing(program: AgentProgramRow): SmartForkError {
  const { message, hint } = missingProgram(program);
  return new SmartForkError('AGENT_MISSING', message, { hint });
}
