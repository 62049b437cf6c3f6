import { get } from '../api/client.ts';
import type { ForkTree, SessionView, ShortIds } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { count, dayAndClock } from '../parts/format.ts';
import { SessionFacts } from '../parts/session-line.tsx';
import { Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { sessionAddress } from '../route/route.ts';

const [ROW, STEP] = [76, 26];
/** Deeper forks are not indented further, because the title needs the room. */
const MAX_DEEP = 8;

/** The tree of forks that a session belongs to, with the outcome of each branch. */
export function ForksView({ view }: { view: SessionView }) {
  const id = view.session.session_id;
  const answer = useAnswer<ForkTree & { short_ids: ShortIds }>(id, (abort) =>
    get(`/api/v1/sessions/${encodeURIComponent(id)}/forks`, {}, abort),
  );
  if (answer.problem !== null) return <Failure problem={answer.problem} retry={answer.reload} />;
  if (answer.data === null) return <Skeleton lines={4} height={ROW} />;
  const rows = listForks(answer.data);
  return (
    <div class="forks">
      <h2>{rows.length === 1 ? 'No forks' : `${count(rows.length, 'session')} in this family`}</h2>
      <div class="tree" style={{ height: `${rows.length * ROW}px` }}>
        <Lines rows={rows} />
        <ol>
          {rows.map(({ node, depth }, row) => (
            <li
              key={node.session_id}
              style={{ top: `${row * ROW}px`, left: `${depth * STEP + 22}px` }}
              class={node.session_id === id ? 'here' : undefined}
              aria-current={node.session_id === id ? 'true' : undefined}
            >
              <Node node={node} shortId={answer.data?.short_ids[node.session_id]} />
            </li>
          ))}
        </ol>
      </div>
      {rows.length === 1 && <p class="muted">Press f in the conversation to fork it at a turn.</p>}
    </div>
  );
}

interface Row {
  node: ForkTree;
  depth: number;
  /** Row of the session it was forked from; -1 for the first row. */
  parent: number;
}

/** Lists each session above its forks. */
function listForks(root: ForkTree): Row[] {
  const rows: Row[] = [];
  const add = (node: ForkTree, depth: number, parent: number) => {
    const row = rows.push({ node, depth, parent }) - 1;
    for (const fork of node.forks) add(fork, Math.min(MAX_DEEP, depth + 1), row);
  };
  add(root, 0, -1);
  return rows;
}

function Lines({ rows }: { rows: Row[] }) {
  const x = (row: number) => (rows[row]?.depth ?? 0) * STEP + 10;
  const y = (row: number) => row * ROW + 16;
  const width = (Math.max(...rows.map(({ depth }) => depth)) + 1) * STEP;
  return (
    <svg aria-hidden="true" width={width} height={rows.length * ROW}>
      {rows.map(({ parent }, row) =>
        parent === -1 ? null : (
          <path key={row} d={`M${x(parent)} ${y(parent)}V${y(row) - 8}q0 8 8 8H${x(row)}`} />
        ),
      )}
      {rows.map(({ node }, row) => (
        <circle key={row} cx={x(row)} cy={y(row)} r="4" class={node.succeeded === true ? 'good' : ''} />
      ))}
    </svg>
  );
}

/** What a fork has that its origin does not. */
function News({ session }: { session: NonNullable<ForkTree['session']> }) {
  const { message_count, inherited_messages, commits, files_touched, outcome } = session;
  const [commit] = commits;
  return (
    <span class="facts">
      <span>
        {message_count === 0 ? 'nothing new' : `${count(message_count, 'new message')}`}
        {inherited_messages > 0 && ` after ${count(inherited_messages)} shared`}
      </span>
      {commit === undefined ? (
        outcome !== 'empty' && <span>{outcome}</span>
      ) : (
        <span class="long">
          <span class="clip line">
            {count(commits.length, 'commit')}: {visible(commit.subject)}
          </span>
        </span>
      )}
      {files_touched.length > 0 && <span>{count(files_touched.length, 'file')}</span>}
    </span>
  );
}

function Node({ node, shortId }: { node: ForkTree; shortId: string | undefined }) {
  const { session, session_id, succeeded, quality } = node;
  if (session === null) return <span class="muted">{shortId}: not indexed</span>;
  return (
    <>
      <Link class="title" to={sessionAddress(session_id)}>
        {session.title}
      </Link>
      {session.parent === null ? <SessionFacts session={session} /> : <News session={session} />}
      <span class="facts">
        <span>{dayAndClock(session.ended_at)}</span>
        {succeeded !== null && <span>{succeeded ? 'succeeded' : 'not successful yet'}</span>}
        {quality !== null && <span>quality {quality.toFixed(1)}</span>}
        <span class="mono">{shortId}</span>
      </span>
    </>
  );
}
