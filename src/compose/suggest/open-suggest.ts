import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkedOutBranch, createRepositoryProbe } from '../../adapters/git/probe-repository.ts';
import { openStoreReader } from '../../adapters/sqlite/suggest/open-reader.ts';
import { openSuggestionJournal } from '../../adapters/sqlite/suggest/sqlite-suggestion-journal.ts';
import type { SuggestDependencies } from '../../app/suggest/suggest-session.ts';

/**
 * What suggestions need, from this machine only: no server is asked. Null if nothing is indexed. Each question waits for other processes
 * at most `waitMs`.
 */
export function openSuggest(
  home: string,
  waitMs: number,
): { deps: Omit<SuggestDependencies, 'isLate'>; close(): void } | null {
  const path = join(home, 'index.db');
  if (!existsSync(path)) return null;
  const store = openStoreReader(path, waitMs);
  if (store === null) return null;
  const journal = openSuggestionJournal(join(home, 'state.db'), waitMs);
  return {
    deps: {
      store,
      journal,
      probe: createRepositoryProbe(),
      branchOf: checkedOutBranch,
      now: () => Date.now(),
    },
    close() {
      store.close();
      journal.close();
    },
  };
}
