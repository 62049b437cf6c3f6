import { get } from '../api/client.ts';
import type { Topic, TopicList } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { count, day } from '../parts/format.ts';
import { inlineCode } from '../parts/inline-code.tsx';
import { Outages } from '../parts/outages.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { sessionAddress } from '../route/route.ts';

const MOST = '50';

/** Topics over sessions: where each stands, what is open, and its sessions. */
export function Topics({ repo, everywhere }: { repo: string; everywhere: string }) {
  const values = { repo, everywhere, limit: MOST };
  const key = JSON.stringify({ topics: values });
  const { data, problem, reload } = useAnswer<TopicList>(key, (abort) =>
    get('/api/v1/topics', values, abort),
  );
  if (problem !== null) return <Failure problem={problem} retry={reload} />;
  if (data === null) return <Skeleton lines={8} height={64} />;
  if (data.topics.length === 0) return <Empty title="No topics yet." />;
  return (
    <>
      <Outages notices={data.notices} />
      <p class="summary">
        {count(data.topics.length, 'topic')}
        {data.left > 0 && ` of ${count(data.topics.length + data.left)}, newest first`}
      </p>
      <ol class="list">
        {data.topics.map((topic) => (
          <TopicRow key={`${topic.name} ${topic.ended_at}`} topic={topic} />
        ))}
      </ol>
    </>
  );
}

function TopicRow({ topic: { name, repo_name, ended_at, newest, open, sessions } }: { topic: Topic }) {
  return (
    <li class="idea">
      <span class="kind">{day(ended_at)}</span>
      <div>
        <p>
          <strong>{inlineCode(name)}</strong>
        </p>
        {newest !== null && (
          <p>
            {newest.kind}: {inlineCode(newest.content)}
          </p>
        )}
        {open.map(({ id, kind, content }) => (
          <p key={id}>
            open {kind}: {inlineCode(content)}
          </p>
        ))}
        <span class="facts">
          <span>{visible(repo_name)}</span>
          {sessions.map(({ session_id, title, last_turn }) => (
            <Link key={session_id} to={sessionAddress(session_id, { turn: last_turn + 1 })}>
              {visible(title)}
            </Link>
          ))}
        </span>
      </div>
    </li>
  );
}
