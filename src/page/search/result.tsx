import type { SearchResult } from '../../domain/search-result.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { get } from '../api/client.ts';
import type { Names, SessionView } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { count, day, dayAndClock } from '../parts/format.ts';
import { noteFork } from '../parts/note-fork.ts';
import { Badge, SessionFacts } from '../parts/session-line.tsx';
import { Link } from '../route/link.tsx';
import { change, parameter, sessionAddress } from '../route/route.ts';
import { useUnfolded } from '../route/unfolded.ts';
import { currentList } from './filters.ts';

/** The URL that opens a result at the matching turn. Its rank, from 1, is told to the server if it is forked. */
export function resultAddress(result: SearchResult | SessionCard, q: string, rank: number): string {
  const { session_id } = result;
  // Beside the session stands the list that it was opened from.
  const list = currentList();
  if (!('match' in result)) return sessionAddress(session_id, list);
  const { turn, subagent } = result.match;
  const at = turn === null ? null : turn + 1;
  return sessionAddress(session_id, { q, turn: at, sub: subagent, rank, ...list });
}

interface Properties {
  result: SearchResult;
  names: Names;
  place: number;
  isSelected: boolean;
}

export function Result({ result, names, place, isSelected }: Properties) {
  const q = parameter('q').trim();
  return (
    <li
      class={isSelected ? 'result selected' : 'result'}
      aria-current={isSelected}
      onMouseDown={() => change({ sel: place })}
    >
      <div class="result-head">
        <Link class="title" to={resultAddress(result, q, place)}>
          {result.title}
        </Link>
        <Badge result={result} />
        <time title={dayAndClock(result.ended_at)}>{day(result.ended_at)}</time>
      </div>
      <SessionFacts session={result} shortId={names.short_ids[result.session_id]} names={names} />
      <p class="snippet" dir="auto">
        <MarkedText text={result.snippet} ranges={result.snippet_ranges} />
      </p>
      <div class="result-foot">
        <span class="why">{whyItMatched(result)}</span>
        <CopyButton
          text={result.fork_command}
          label={result.can_fork ? 'Copy fork command' : 'Copy retrieve command'}
          onCopy={result.can_fork ? () => noteFork(result.session_id, result.rank) : undefined}
        />
        <button type="button" onClick={() => change({ fork: result.session_id })}>
          Fork …
        </button>
      </div>
      {result.family !== undefined && result.family.length > 0 && (
        <Family of={result.session_id} ids={result.family} q={q} />
      )}
    </li>
  );
}

/** "Found by its words in turn 11". */
function whyItMatched({ found_by, match, scores }: SearchResult): string {
  if (found_by !== undefined) return found_by;
  const best = Object.entries(scores.parts)
    .map(([name, value]) => [name, value * (scores.weights[name] ?? 0)] as const)
    .sort((one, other) => other[1] - one[1])[0]?.[0];
  const by = best === undefined ? 'Found' : `Found by its ${best.endsWith('_vectors') ? 'meaning' : 'words'}`;
  if (match.turn === null) return match.type === 'session' ? `${by} in the session as a whole` : by;
  const part = { intent: 'your prompt in ', chunk: '', session: '' }[match.type];
  return `${by} in ${match.subagent === undefined ? part : 'a subagent of '}turn ${match.turn + 1}`;
}

/** The rest of its family, folded: its forks, its origin, sessions that did the same. */
function Family({ of, ids, q }: { of: string; ids: string[]; q: string }) {
  const [isOpen, toggle] = useUnfolded(of);
  const answer = useAnswer<SessionView[]>(isOpen ? ids.join() : null, (abort) =>
    Promise.all(ids.slice(0, 20).map((id) => get<SessionView>(`/api/v1/sessions/${id}`, {}, abort))),
  );
  return (
    <div class="family">
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={toggle}>
        {count(ids.length, 'more session')} of the same work
      </button>
      {isOpen && (
        <ul>
          {(answer.data ?? []).map(({ session }) => (
            <li key={session.session_id}>
              <Link to={sessionAddress(session.session_id, { q, ...currentList() })}>{session.title}</Link>{' '}
              <small>
                {day(session.ended_at)} · {session.branch} · {count(session.message_count, 'message')}
              </small>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Text with matched words highlighted. Ranges are [start, end) in UTF-16 units. */
function MarkedText({ text, ranges }: { text: string; ranges: [number, number][] }) {
  const parts = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start < at || end > text.length) continue;
    parts.push(visible(text.slice(at, start)), <mark key={start}>{visible(text.slice(start, end))}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {visible(text.slice(at))}
    </>
  );
}
