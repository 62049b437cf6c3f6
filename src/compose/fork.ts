import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createGitHistory } from '../adapters/git/git-history.ts';
import { openSqliteForkJournal } from '../adapters/sqlite/state/sqlite-fork-journal.ts';
import { createContextFiles } from '../adapters/system/context-files.ts';
import { createAgentProgramFinder } from '../adapters/system/find-program.ts';
import { createTerminalLauncher } from '../adapters/terminal/launch-terminal.ts';
import { createSessionRestorer } from '../app/archive/restore-session.ts';
import type { ForkDependencies } from '../app/fork/make-fork.ts';
import { optionalJournal } from '../app/fork/optional-journal.ts';
import type { PreflightDependencies } from '../app/fork/preflight.ts';
import { type Config, type Environment, environmentForAgents } from '../config/config.ts';
import type { SmartForkError } from '../domain/errors.ts';
import type { ForkJournal } from '../ports/fork-journal.ts';
import type { TerminalLauncher } from '../ports/machine.ts';
import type { Parts } from './parts.ts';

/** What only forking needs, in addition to the parts. */
export interface ForkParts {
  journal: ForkJournal;
  /** Opens a window in the tmux that runs this terminal. */
  tmux: TerminalLauncher;
  dependencies(): Promise<ForkDependencies & PreflightDependencies>;
  close(): void;
}

/** Opens the configured terminal; null when none is configured. */
export function configuredTerminal({ fork }: Config): TerminalLauncher | null {
  return fork.launch === null ? null : createTerminalLauncher(fork.launch, environmentForAgents());
}

/** What checking a fork beforehand needs. */
export function composePreflight(parts: Parts, env: Environment): PreflightDependencies {
  const { sources, machine, probe, localId } = parts;
  const findProgram = createAgentProgramFinder({ path: env.PATH ?? env.Path, platform: machine.platform });
  return { sources, machine, probe, localId, git: createGitHistory(), findProgram };
}

/** @param onUnnoted called once when forks cannot be recorded. */
export function composeFork(
  parts: Parts,
  env: Environment,
  onUnnoted: (problem: SmartForkError) => void,
): ForkParts {
  const { config, machine } = parts;
  const journal = optionalJournal(() => openSqliteForkJournal(join(config.home, 'state.db')), onUnnoted);
  return {
    journal,
    tmux: createTerminalLauncher('tmux', environmentForAgents(env)),
    dependencies: async () => ({
      ...parts,
      ...composePreflight(parts, env),
      store: await parts.store(),
      restorer: createSessionRestorer(parts),
      files: createContextFiles(join(config.home, 'context'), machine.now),
      removeTranscript: (path) => rmSync(path, { force: true }),
      newId: randomUUID,
    }),
    close: () => journal.close(),
  };
}
