import { join } from 'node:path';
import { createGitHistory } from './adapters/git/git-history.ts';
import { openSqliteForkJournal } from './adapters/sqlite/sqlite-fork-journal.ts';
import { createProgramFinder } from './adapters/system/find-program.ts';
import type { Config } from './config.ts';
import type { FindProgram } from './ports/agent-programs.ts';
import type { ForkJournal } from './ports/fork-journal.ts';
import type { GitHistory } from './ports/git-history.ts';
import { nothingKept, type SessionRestorer } from './ports/session-restorer.ts';

/** What only forking needs, beside what `compose` gives. */
export interface ForkParts {
  git: GitHistory;
  findProgram: FindProgram;
  restorer: SessionRestorer;
  journal: ForkJournal;
  close(): void;
}

export function composeFork(config: Config): ForkParts {
  const journal = openSqliteForkJournal(join(config.home, 'state.db'));
  return {
    git: createGitHistory(),
    findProgram: createProgramFinder(config.programs),
    restorer: nothingKept,
    journal,
    close: () => journal.close(),
  };
}
