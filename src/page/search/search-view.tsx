import { useEffect, useRef } from 'preact/hooks';
import type { SearchResult } from '../../domain/search-result.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { useKeys } from '../keys/keys.ts';
import { Indexing } from '../parts/indexing.tsx';
import { Failure, Skeleton } from '../parts/states.tsx';
import { ForkDialog } from '../reader/fork-dialog.tsx';
import { change, go, numberParameter, parameter } from '../route/route.ts';
import { useTitle } from '../route/title.ts';
import { FilterPanel, PickedFilters } from './filter-panel.tsx';
import { Preview } from './preview.tsx';
import { resultAddress } from './result.tsx';
import { NewestList, ResultList } from './result-lists.tsx';
import { useNewest, useSearch } from './use-results.ts';

/** Results while typing; without a query, the newest sessions. */
export function SearchView() {
  const search = useSearch();
  const newest = useNewest();
  const q = parameter('q').trim();
  const results: (SearchResult | SessionCard)[] =
    q === '' ? (newest.data?.sessions ?? []) : (search.data?.results ?? []);
  const selected = Math.min(numberParameter('sel') ?? 1, Math.max(1, results.length));
  const current = results[selected - 1];
  const forking = results.find(({ session_id }) => session_id === parameter('fork'));
  useTitle(q);
  const answer = q === '' ? newest : search;
  const openSelected = () => {
    if (current !== undefined) go(resultAddress(current, q, selected));
  };
  const select = (step: number) => {
    change({ sel: Math.max(1, Math.min(results.length, selected + step)) });
    requestAnimationFrame(() =>
      document.querySelector('.result.selected, .row.selected')?.scrollIntoView({ block: 'nearest' }),
    );
  };
  // Enter may come before the answer to what was typed.
  const isReady = q === '' || (!search.isLoading && search.data?.query === q);
  const wantsFirst = useRef<string | null>(null);
  useEffect(() => {
    if (!isReady || wantsFirst.current === null) return;
    if (wantsFirst.current === q) openSelected();
    wantsFirst.current = null;
  });
  useKeys({
    j: () => select(1),
    k: () => select(-1),
    ArrowDown: () => select(1),
    ArrowUp: () => select(-1),
    Enter: openSelected,
    f: () => current !== undefined && change({ fork: current.session_id }),
  });
  return (
    <div class="search">
      <h1 class="hidden">Search</h1>
      <QueryField
        select={select}
        open={() => {
          wantsFirst.current = isReady ? null : q;
          if (isReady) openSelected();
        }}
      />
      <FilterPanel facets={search.data?.facets ?? null} />
      <section
        class="results"
        aria-label={q === '' ? 'Newest sessions' : 'Results'}
        aria-busy={answer.isLoading}
      >
        <Indexing />
        <PickedFilters />
        {answer.problem !== null && <Failure problem={answer.problem} retry={answer.reload} />}
        {answer.data === null && answer.problem === null && <Skeleton lines={7} height={92} />}
        {q !== '' && search.data !== null && search.problem === null && (
          <ResultList answer={search.data} selected={selected} />
        )}
        {q === '' && newest.data !== null && newest.problem === null && (
          <NewestList page={newest.data} selected={selected} />
        )}
      </section>
      <Preview result={current} rank={selected} />
      {forking !== undefined && (
        <ForkDialog
          id={forking.session_id}
          title={forking.title}
          turn={'match' in forking && forking.match.turn !== null ? forking.match.turn + 1 : null}
          startWhole
          rank={results.indexOf(forking) + 1}
          onClose={() => change({ fork: null, whole: null, folder: null })}
        />
      )}
    </div>
  );
}

function QueryField({ select, open }: { select: (step: number) => void; open: () => void }) {
  // The field and the URL always agree: the URL is written before the next key arrives.
  const write = (value: string) => change({ q: value, sel: null, pages: null });
  const press = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const run = {
      Enter: open,
      ArrowDown: () => select(1),
      ArrowUp: () => select(-1),
      Escape: () => event.currentTarget.blur(),
    }[event.key];
    if (run === undefined || event.isComposing) return;
    event.preventDefault();
    run();
  };
  return (
    <form class="query" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="hidden" for="query">
        What do you want to do?
      </label>
      <input
        id="query"
        type="search"
        placeholder="What do you want to do?"
        autoComplete="off"
        spellcheck={false}
        // Only when the page is opened: browsers heed it once in a document.
        autofocus={parameter('q') === ''}
        value={parameter('q')}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={press}
      />
      <kbd>/</kbd>
    </form>
  );
}
