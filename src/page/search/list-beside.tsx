import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../keys/keys.ts';
import { day } from '../parts/format.ts';
import { useWide } from '../parts/use-wide.ts';
import { Link } from '../route/link.tsx';
import { buildAddress, go, parameter } from '../route/route.ts';
import { currentList } from './filters.ts';
import { resultAddress } from './result.tsx';
import { useNewest, useSearch } from './use-results.ts';

/** Beside a session, the list that it was opened from: the results of the search, or the newest sessions. */
export function ListBeside({ id }: { id: string }) {
  return useWide(1200) ? <List id={id} /> : null;
}

function List({ id }: { id: string }) {
  const q = parameter('q').trim();
  const [search, newest] = [useSearch(), useNewest()];
  const sessions = (q === '' ? newest.data?.sessions : search.data?.results) ?? [];
  const list = useRef<HTMLElement>(null);
  const at = sessions.findIndex(({ session_id }) => session_id === id);
  const step = (by: number) => {
    const next = sessions[at + by];
    if (next !== undefined) go(resultAddress(next, q, at + by + 1));
  };
  useKeys({ J: () => step(1), K: () => step(-1) });
  const before = useRef(-1);
  useEffect(() => {
    const block = before.current === -1 ? 'center' : 'nearest';
    before.current = at;
    list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block });
  }, [at]);
  return (
    <nav class="beside" aria-label={q === '' ? 'Newest sessions' : 'Results'} ref={list}>
      <a class="skip" href="#session">
        Skip the list
      </a>
      <Link class="back" to={buildAddress('/', { q, ...currentList() })}>
        ← {q === '' ? 'All sessions' : `Results for “${q}”`}
      </Link>
      {sessions.map((session, index) => (
        <Link
          key={session.session_id}
          to={resultAddress(session, q, index + 1)}
          aria-current={session.session_id === id ? 'true' : undefined}
        >
          <span class="name">{session.title}</span>
          <span class="facts">
            <span>{session.repo_name}</span>
            <span>{day(session.ended_at)}</span>
            {session.parent_session_id !== null && <span>fork</span>}
          </span>
        </Link>
      ))}
    </nav>
  );
}
