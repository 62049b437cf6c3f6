import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createGitHistory } from './adapters/git/git-history.ts';
import { openSqliteForkJournal } from './adapters/sqlite/sqlite-fork-journal.ts';
import { createContextFiles } from './adapters/system/context-files.ts';
import { createProgramFinder } from './adapters/system/find-program.ts';
import type { PreflightDependencies } from './app/preflight.ts';
import type { ForkDependencies } from './app/prepare-fork.ts';
import type { Parts } from './compose.ts';
import type { ForkJournal } from './ports/fork-journal.ts';
import { nothingKept } from './ports/session-restorer.ts';

/** What only forking needs, on top of what `compose` gives. */
export interface ForkParts {
  journal: ForkJournal;
  dependencies(): Promise<ForkDependencies & PreflightDependencies>;
  close(): void;
}

export function composeFork(parts: Parts): ForkParts {
  const { config, sources, machine, tokenizer, redactor, probe } = parts;
  const journal = openSqliteForkJournal(join(config.home, 'state.db'));
  return {
    journal,
    dependencies: async () => ({
      store: await parts.store(),
      sources,
      machine,
      tokenizer,
      redactor,
      probe,
      git: createGitHistory(),
      findProgram: createProgramFinder(config.programs),
      restorer: nothingKept,
      files: createContextFiles(join(config.home, 'context'), machine.now),
      removeTranscript: (path) => rmSync(path, { force: true }),
      newId: randomUUID,
    }),
    close: () => journal.close(),
  };
}
