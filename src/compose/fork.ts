import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createGitHistory } from '../adapters/git/git-history.ts';
import { openSqliteForkJournal } from '../adapters/sqlite/state/sqlite-fork-journal.ts';
import { createAgentProgramFinder } from '../adapters/system/agent-program.ts';
import { createContextFiles } from '../adapters/system/context-files.ts';
import { createTerminalLauncher } from '../adapters/terminal/launch-terminal.ts';
import type { ForkDependencies } from '../app/fork/make-fork.ts';
import { optionalJournal } from '../app/fork/optional-journal.ts';
import type { PreflightDependencies } from '../app/fork/preflight.ts';
import { type Environment, environmentForAgents } from '../config/environment.ts';
import type { SmartForkError } from '../domain/errors.ts';
import type { ForkJournal } from '../ports/fork-journal.ts';
import type { TerminalLauncher } from '../ports/machine.ts';
import type { Parts } from './parts.ts';

/** What forking needs on top of what `compose` gives. */
export interface ForkParts {
  journal: ForkJournal;
  /** Opens a window of the tmux session around this terminal. */
  tmux: TerminalLauncher;
  dependencies(): Promise<ForkDependencies & PreflightDependencies>;
  close(): void;
}

/** @param onUnrecorded called once when forks cannot be recorded. */
export function composeFork(
  parts: Parts,
  env: Environment,
  onUnrecorded: (problem: SmartForkError) => void,
): ForkParts {
  const { config, machine } = parts;
  const journal = optionalJournal(() => openSqliteForkJournal(join(config.home, 'state.db')), onUnrecorded);
  return {
    journal,
    tmux: createTerminalLauncher('tmux', environmentForAgents(env)),
    dependencies: async () => ({
      ...parts,
      store: await parts.store(),
      journal,
      git: createGitHistory(),
      findProgram: createAgentProgramFinder({ path: env.PATH ?? env.Path, platform: machine.platform }),
      files: createContextFiles(join(config.home, 'context'), machine.now),
      removeTranscript: (path) => rmSync(path, { force: true }),
      newId: randomUUID,
    }),
    close: () => journal.close(),
  };
}
