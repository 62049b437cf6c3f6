import { count } from '../parts/format.ts';
import { change, parameter } from '../route/route.ts';
import { showsOutline, showsThinking, toggleOutline, toggleThinking } from './reader-options.ts';

interface Properties {
  current: number;
  total: number;
  matches: number[];
  /** Goes to the next hit, or to the one before. */
  step: (by: 1 | -1) => void;
  isLoading: boolean;
}

/** The position in the session, and a field for searching it. */
export function FindBar({ current, total, matches, step, isLoading }: Properties) {
  const find = parameter('find');
  const words = find || parameter('q');
  const press = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
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
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      >
        ↑
      </button>
      <button type="button" aria-label="Next match" disabled={matches.length === 0} onClick={() => step(1)}>
        ↓
      </button>
      <button
        type="button"
        class="bare thinks"
        aria-pressed={showsThinking()}
        title="Show what the model thought"
        onClick={toggleThinking}
      >
        Thinking
      </button>
      <span class="matches" role="status">
        {words === '' ? '' : isLoading ? '…' : count(matches.length, 'turn')}
        {words !== '' && !isLoading && <span> {matches.length === 1 ? 'matches' : 'match'}</span>}
      </span>
    </div>
  );
}
