import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SearchResponse } from '../../domain/search-result.ts';
import { get } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useStatsCounts } from '../api/use-stats-counts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { day } from '../parts/format.ts';
import { buildAddress, go, sessionAddress } from '../route/route.ts';
import { overlay } from './overlay.ts';

interface Entry {
  text: string;
  note: string;
  to: string;
}

const VIEWS: Entry[] = [
  { text: 'Search', note: 'view', to: '/' },
  { text: 'Activity', note: 'view', to: '/activity' },
  { text: 'Memory', note: 'view', to: '/memory' },
  { text: 'Usage', note: 'view', to: '/usage' },
  { text: 'State', note: 'view', to: '/state' },
];

/** Opens a view, a repository or a session by typing part of its name. */
export function Palette() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(text);
  const list = useRef<HTMLDivElement>(null);
  const close = () => {
    overlay.value = null;
  };
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    go(entry.to);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + entries.length) % Math.max(1, entries.length));
    }
    if (event.key === 'Enter') open(entries[at]);
  };
  useEffect(() => setAt(0), [text]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  return (
    <Dialog label="Go to" onClose={close}>
      <input
        type="text"
        class="palette-input"
        role="combobox"
        aria-label="Go to a view, a session or a repository"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${at}` : undefined}
        placeholder="Go to a view, a session or a repository"
        autoComplete="off"
        autofocus
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="Results" class="palette-list" ref={list}>
        {entries.map((entry, index) => (
          <div
            key={entry.to}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => open(entry)}
          >
            <span class="clip">{entry.text}</span>
            <small>{entry.note}</small>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function useEntries(text: string): Entry[] {
  const query = text.trim();
  const stats = useStatsCounts();
  const answer = useAnswer<SearchResponse>(
    query === '' ? null : query,
    (abort) => get('/api/v1/search', { q: query, limit: 8, literal: 1 }, abort),
    { delayMs: 120 },
  );
  return useMemo(() => {
    const fits = (name: string) => name.toLowerCase().includes(query.toLowerCase());
    const repos = (stats.data?.by_repo ?? []).map(({ value, count }) => ({
      text: value,
      note: `repository · ${count}`,
      to: buildAddress('/', { repo: value }),
    }));
    const sessions = (query === '' ? [] : (answer.data?.results ?? [])).map((result, index) => ({
      text: result.title,
      note: `${result.repo_name} · ${day(result.ended_at)}${result.parent_session_id === null ? '' : ' · fork'}`,
      to: sessionAddress(result.session_id, {
        q: query,
        turn: (result.match.turn ?? 0) + 1,
        rank: index + 1,
      }),
    }));
    return [...[...VIEWS, ...repos].filter((entry) => fits(entry.text)), ...sessions].slice(0, 12);
  }, [query, answer.data, stats.data]);
}
