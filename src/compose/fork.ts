import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createGitHistory } from '../adapters/git/git-history.ts';
import { openSqliteForkJournal } from '../adapters/sqlite/state/sqlite-fork-journal.ts';
import { createAgentProgramFinder } from '../adapters/system/agent-program.ts';
import { createContextFiles } from '../adapters/system/context-files.ts';
import { createTerminalLauncher } from '../adapters/terminal/launch-terminal.ts';
import { createSessionRestorer } from '../app/archive/restore-session.ts';
import type { ForkDependencies } from '../app/fork/make-fork.ts';
import { optionalJournal } from '../app/fork/optional-journal.ts';
import type { PreflightDependencies } from '../app/fork/preflight.ts';
import { type Environment, environmentForAgents } from '../config/environment.ts';
import type { SmartForkError } from '../domain/errors.ts';
import type { ForkJournal } from '../ports/fork-journal.ts';
import type { TerminalLauncher } from '../ports/machine.ts';
import type { Parts } from './parts.ts';

/** What only forking needs, on top of what `compose` gives. */
export interface ForkParts {
  journal: ForkJournal;
  /** Opens a window of the tmux that is around this terminal. */
  tmux: TerminalLauncher;
  dependencies(): Promise<ForkDependencies & PreflightDependencies>;
  close(): void;
}

/** What looking ahead of a fork needs. */
export function composePreflight(parts: Parts, env: Environment): PreflightDependencies {
  const { sources, machine, probe, localId } = parts;
  const findProgram = createAgentProgramFinder({ path: env.PATH ?? env.Path, platform: machine.platform });
  return { sources, machine, probe, localId, git: createGitHistory(), findProgram };
}

/** @param onUnnoted told once when forks cannot be noted. */
export function composeFork(
  parts: Parts,
  env: Environment,
  onUnnoted: (problem: SmartForkError) => void,
): ForkParts {
  const { config, machine, tokenizer, redactor } = parts;
  const journal = optionalJournal(() => openSqliteForkJournal(join(config.home, 'state.db')), onUnnoted);
  return {
    journal,
    tmux: createTerminalLauncher('tmux', environmentForAgents(env)),
    dependencies: async () => ({
      store: await parts.store(),
      tokenizer,
      redactor,
      ...composePreflight(parts, env),
      archives: parts.archives,
      transcripts: parts.transcripts,
      restorer: createSessionRestorer(parts),
      files: createContextFiles(join(config.home, 'context'), machine.now),
      removeTranscript: (path) => rmSync(path, { force: true }),
      newId: randomUUID,
    }),
    close: () => journal.close(),
  };
}
