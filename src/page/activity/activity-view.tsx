import { kindText } from '../../domain/text/memory-text.ts';
import { get } from '../api/client.ts';
import type { ActiveDay, DaysAnswer, Idea, Names } from '../api/types.ts';
import { type Answer, useAnswer } from '../api/use-answer.ts';
import { count, weekday } from '../parts/format.ts';
import { inlineCode } from '../parts/inline-code.tsx';
import { Outages } from '../parts/outages.tsx';
import { RepositorySelect, Select } from '../parts/select.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { addressWith, change, numberParameter, parameter, sessionAddress } from '../route/route.ts';
import { useTitle } from '../route/title.ts';
import { SessionRow } from '../search/result-lists.tsx';
import { countsOf } from './day-text.ts';
import { EditedFiles } from './edited-files.tsx';
import { PastForks } from './past-forks.tsx';

const DAYS = ['7', '30', '90', '365'];

/** Sessions at once, and at most. */
const [PAGE, MOST] = [40, 500];

const LISTS = [
  ['', 'Sessions'],
  ['file', 'Files edited lately'],
  ['fork', 'Forks made'],
] as const;

export function ActivityView() {
  const repo = parameter('repo');
  const days = parameter('days');
  const by = parameter('by');
  const limit = Math.min(MOST, PAGE * (numberParameter('pages') ?? 1));
  const answer = useAnswer<DaysAnswer>(by === '' ? `${repo} ${days} ${limit}` : null, (abort) =>
    get('/api/v1/days', { repo, days, limit }, abort),
  );
  useTitle('Activity');
  return (
    <div class="column activity">
      <div class="view-head">
        <h1>Activity</h1>
        {by !== 'fork' && <RepositorySelect />}
        {by !== 'fork' && (
          <Select
            label="Days"
            name="days"
            all="All time"
            values={DAYS}
            show={(value) => `Last ${value} days`}
          />
        )}
      </div>
      <div class="chips" role="group" aria-label="What to list">
        {LISTS.map(([value, name]) => (
          <button
            type="button"
            class="chip"
            key={value}
            aria-pressed={by === value}
            onClick={() => change({ by: value, pages: null })}
          >
            {name}
          </button>
        ))}
      </div>
      {by === 'file' && <EditedFiles repo={repo} days={days} />}
      {by === 'fork' && <PastForks />}
      {by === '' && <Days answer={answer} days={days} />}
    </div>
  );
}

function Days({ answer, days }: { answer: Answer<DaysAnswer>; days: string }) {
  const { data, problem, reload } = answer;
  if (problem !== null) return <Failure problem={problem} retry={reload} />;
  if (data === null) return <Skeleton lines={10} height={48} />;
  if (data.days.length === 0) return <Nothing days={days} />;
  return (
    <>
      <Outages notices={data.notices} />
      {data.days.map((one) => (
        <section class="day" key={one.date}>
          <h2>
            {weekday(one.date)}
            <small>{countsOf(one)}</small>
          </h2>
          <Day day={one} names={data} />
        </section>
      ))}
      {data.left > 0 && <More left={data.left} />}
    </>
  );
}

function More({ left }: { left: number }) {
  const pages = numberParameter('pages') ?? 1;
  const text = count(left, 'older session');
  if (pages * PAGE >= MOST) return <p class="summary">{text}: choose a repository to see others</p>;
  return (
    <button type="button" class="more" onClick={() => change({ pages: pages + 1 })}>
      Show more of {text}
    </button>
  );
}

function Nothing({ days }: { days: string }) {
  const most = DAYS.at(-1) ?? days;
  return (
    <Empty title={days === '' ? 'Nothing yet.' : `Nothing in the last ${days} days.`}>
      {days !== '' && days !== most && (
        <Link to={addressWith({ days: most })}>Show the last {most} days</Link>
      )}
    </Empty>
  );
}

/** Sessions by branch, each with its commits and decisions. */
function Day({ day, names }: { day: ActiveDay; names: Names }) {
  const { sessions, commits, decisions, todos } = day;
  const branches = [...new Set(sessions.map(({ branch }) => branch))];
  const shownIn = (id: string) => sessions.some(({ session_id }) => session_id === id);
  const rest = {
    commits: commits.filter((one) => !shownIn(one.session_id)),
    ideas: [...decisions, ...todos].filter((one) => !shownIn(one.session_id)),
  };
  return (
    <>
      {branches.map((branch) => (
        <div key={branch} class="branch">
          {branches.length > 1 && <h3 class="mono">{branch ?? 'no branch'}</h3>}
          <ol class="list">
            {sessions
              .filter((session) => session.branch === branch)
              .map((session) => {
                const isOwn = ({ session_id }: { session_id: string }) => session_id === session.session_id;
                return (
                  <>
                    <SessionRow
                      session={branches.length > 1 ? { ...session, branch: null } : session}
                      names={names}
                    />
                    <Below commits={commits.filter(isOwn)} ideas={[...decisions, ...todos].filter(isOwn)} />
                  </>
                );
              })}
          </ol>
        </div>
      ))}
      <ol class="list">
        <Below commits={rest.commits} ideas={rest.ideas} />
      </ol>
    </>
  );
}

function Below({ commits, ideas }: { commits: ActiveDay['commits']; ideas: Idea[] }) {
  return (
    <>
      {commits.map(({ hash, subject, session_id }) => (
        <li class="below" key={`${hash} ${subject}`}>
          <Link class="mono" to={sessionAddress(session_id, {}, 'files')}>
            {hash.slice(0, 8) || 'commit'}
          </Link>
          <span>{inlineCode(subject)}</span>
        </li>
      ))}
      {ideas.map((idea) => (
        <li class="below" key={idea.id}>
          <Link class={`kind ${idea.kind}`} to={sessionAddress(idea.session_id, { turn: idea.turn + 1 })}>
            {kindText(idea)}
          </Link>
          <span>{inlineCode(idea.content)}</span>
        </li>
      ))}
    </>
  );
}
