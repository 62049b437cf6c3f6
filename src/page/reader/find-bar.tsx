import { count } from '../parts/format.ts';
import { change, parameter } from '../route/route.ts';
import { showsOutline, toggleOutline } from './outline-state.ts';

interface Properties {
  current: number;
  total: number;
  matches: number[];
  goTo: (index: number) => void;
  isLoading: boolean;
}

/** The position in the session, and a field for searching it. */
export function FindBar({ current, total, matches, goTo, isLoading }: Properties) {
  const find = parameter('find');
  const words = find || parameter('q');
  const next = matches.find((index) => index > current);
  const previous = matches.findLast((index) => index < current);
  const press = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key === 'Enter') goTo((event.shiftKey ? previous : (next ?? matches[0])) ?? current);
    if (event.key === 'Escape') event.currentTarget.blur();
  };
  return (
    <div class="find">
      <button
        type="button"
        class="bare"
        aria-label="Outline"
        aria-pressed={showsOutline()}
        onClick={toggleOutline}
      >
        ☰
      </button>
      <span class="position">
        {current + 1} / {total}
      </span>
      <input
        id="find"
        type="search"
        aria-label="Find in this session"
        placeholder={parameter('q') === '' ? 'Find in this session' : parameter('q')}
        autoComplete="off"
        value={find}
        onInput={(event) => change({ find: event.currentTarget.value })}
        onKeyDown={press}
      />
      <button
        type="button"
        aria-label="Previous match"
        disabled={previous === undefined}
        onClick={() => goTo(previous ?? 0)}
      >
        ↑
      </button>
      <button
        type="button"
        aria-label="Next match"
        disabled={next === undefined}
        onClick={() => goTo(next ?? 0)}
      >
        ↓
      </button>
      <span class="matches" role="status">
        {words === '' ? '' : isLoading ? '…' : count(matches.length, 'turn')}
        {words !== '' && !isLoading && <span> {matches.length === 1 ? 'matches' : 'match'}</span>}
      </span>
    </div>
  );
}
