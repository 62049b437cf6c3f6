import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDriftReader } from '../adapters/git/read-drift.ts';
import { openSqliteForkJournal } from '../adapters/sqlite/state/sqlite-fork-journal.ts';
import { createAgentProgramFinder } from '../adapters/system/find-program.ts';
import { createRunAgent } from '../adapters/system/run-agent.ts';
import { createTerminalLauncher } from '../adapters/terminal/launch-terminal.ts';
import type { AskDependencies } from '../app/fork/ask-session.ts';
import { optionalJournal } from '../app/fork/optional-journal.ts';
import type { PreflightDependencies } from '../app/fork/preflight.ts';
import type { Config } from '../config/config.ts';
import {
  type Environment,
  environmentForAgents,
  environmentForTools,
  processEnvironment,
} from '../config/environment.ts';
import type { SmartForkError } from '../domain/errors.ts';
import type { TerminalName } from '../domain/machine/terminals.ts';
import type { ForkJournal } from '../ports/fork-journal.ts';
import type { TerminalLauncher } from '../ports/machine.ts';
import { composeThreads } from './agents/threads.ts';
import type { Parts } from './parts.ts';
import { pathOfProgram, programSearch } from './programs.ts';

/** Parts that only forking needs. */
export interface ForkParts {
  journal: ForkJournal;
  /** Opens a window in the tmux session around this terminal. */
  tmux: TerminalLauncher;
  dependencies(): Promise<AskDependencies & PreflightDependencies>;
  close(): void;
}

/** A launcher for the configured terminal; null if none is configured. */
export function configuredTerminal({ fork }: Config): TerminalLauncher | null {
  return fork.launch === null ? null : launcherFor(fork.launch, processEnvironment());
}

function launcherFor(terminal: TerminalName, env: Environment): TerminalLauncher {
  return createTerminalLauncher(terminal, environmentForAgents(env), (name) => pathOfProgram(name, env));
}

/** This machine's record of forks. The caller closes it. */
export function openJournal({ home }: Config): ForkJournal {
  return openSqliteForkJournal(join(home, 'state.db'));
}

/** @param onUnrecorded called once if forks cannot be recorded. */
export function composeFork(
  parts: Parts,
  env: Environment,
  onUnrecorded: (problem: SmartForkError) => void,
): ForkParts {
  const { config } = parts;
  const journal = optionalJournal(() => openJournal(config), onUnrecorded);
  return {
    journal,
    tmux: launcherFor('tmux', env),
    dependencies: async () => ({
      ...parts,
      store: await parts.store(),
      journal,
      git: createDriftReader({
        program: pathOfProgram('git', env),
        env: environmentForTools(env),
      }),
      threads: composeThreads(config, env),
      findProgram: createAgentProgramFinder(programSearch(env), environmentForTools(env)),
      files: parts.contexts,
      removeTranscript: (path) => rmSync(path, { force: true }),
      newId: randomUUID,
      runAgent: createRunAgent((name) => pathOfProgram(name, env), environmentForAgents(env)),
    }),
    close: () => journal.close(),
  };
}
