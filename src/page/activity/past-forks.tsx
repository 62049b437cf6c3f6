import type { ForkedBefore } from '../../domain/json/fork.ts';
import { get } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { agentName, dayAndClock } from '../parts/format.ts';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { sessionAddress } from '../route/route.ts';

const MOST = 200;

/** What was forked on this machine, newest first. */
export function PastForks() {
  const { data, problem, reload } = useAnswer<{ forks: ForkedBefore[] }>('forks', (abort) =>
    get('/api/v1/forks', { limit: MOST }, abort),
  );
  if (problem !== null) return <Failure problem={problem} retry={reload} />;
  if (data === null) return <Skeleton lines={10} height={44} />;
  if (data.forks.length === 0)
    return (
      <Empty title="No forks yet.">
        <p>Forks that a copied command, the terminal or an agent starts are listed here.</p>
      </Empty>
    );
  return (
    <ol class="list">
      {data.forks.map((fork) => (
        <ForkRow key={`${fork.chosen_at} ${fork.session_id}`} fork={fork} />
      ))}
    </ol>
  );
}

function ForkRow({ fork }: { fork: ForkedBefore }) {
  const { chosen_at, session_id, title, query, rank, agent, text, turn, result_session_id: result } = fork;
  return (
    <li class="edited">
      <div>
        {title === null ? (
          <span class="muted">a session that is not indexed</span>
        ) : (
          <Link class="title" to={sessionAddress(session_id, { turn })}>
            {title}
          </Link>
        )}
        <span class="facts">
          <span>{dayAndClock(chosen_at)}</span>
          <span>{text}</span>
          <span>{agentName(agent)}</span>
          {query !== null && (
            <span>
              after “{visible(query)}”{rank !== null && `, result ${rank}`}
            </span>
          )}
          {result !== null && fork.result_indexed && <Link to={sessionAddress(result)}>the new session</Link>}
        </span>
      </div>
    </li>
  );
}
