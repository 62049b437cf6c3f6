import { AGENT_ROWS, AGENTS, type Agent } from '../agent/agents.ts';
import { SmartForkError } from '../errors.ts';
import { idToType } from './session-id.ts';

/** What cannot be done with an agent, and the way that works. */

/** The agent has no command that forks a session. */
export function cannotFork(agent: Agent, sessionId: string): SmartForkError {
  return new SmartForkError('USAGE', `${AGENT_ROWS[agent].name} sessions cannot be forked`, {
    hint: `${throughContext(agent, sessionId)} Or print it: smart-fork retrieve ${idToType(sessionId)}`,
  });
}

/** The agent has no command that resumes a session. */
export function cannotResume(agent: Agent, sessionId: string): SmartForkError {
  const message = `${AGENT_ROWS[agent].name} sessions cannot be resumed from a command line`;
  return new SmartForkError('USAGE', message, { hint: throughContext(agent, sessionId) });
}

/** The agent has no command that starts a session. */
export function cannotStart(agent: Agent, sessionId: string): SmartForkError {
  const message = `${AGENT_ROWS[agent].name} cannot be started from a command line`;
  return new SmartForkError('USAGE', message, { hint: throughContext(agent, sessionId) });
}

/** The agent does not look for transcripts in files, so an archived one cannot be put where it would find it. */
export function cannotRestore(agent: Agent, sessionId: string): SmartForkError {
  const message = `${AGENT_ROWS[agent].name} cannot get an archived session back from a file`;
  return new SmartForkError('USAGE', message, {
    hint: `smart-fork show ${idToType(sessionId)} prints it from the archive. ${throughContext(agent, sessionId)}`,
  });
}

/** The agent answers no question without a terminal in a fork that can be deleted. */
export function cannotAsk(agent: Agent, sessionId: string): SmartForkError {
  return new SmartForkError('USAGE', `${AGENT_ROWS[agent].name} sessions cannot be asked`, {
    hint: `smart-fork show ${idToType(sessionId)} prints the session. ${throughContext(agent, sessionId)}`,
  });
}

function throughContext(agent: Agent, sessionId: string): string {
  const other = AGENTS.find((one) => one !== agent && AGENT_ROWS[one].program !== null);
  return `Start another agent with its context: smart-fork fork ${idToType(sessionId)} --into ${other}.`;
}
