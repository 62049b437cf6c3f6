import { useEffect } from 'preact/hooks';
import { get } from './api/client.ts';
import { changedSession } from './api/live.ts';
import type { SessionView } from './api/types.ts';
import { useAnswer } from './api/use-answer.ts';
import { SessionMarks } from './marks/session-marks.tsx';
import { CopyButton } from './parts/copy-button.tsx';
import { count, dollars, period, shortNumber } from './parts/format.ts';
import { Later } from './parts/later.tsx';
import { SessionFacts } from './parts/session-line.tsx';
import { Failure, Skeleton } from './parts/states.tsx';
import { ReaderView } from './reader/reader-view.tsx';
import { Link } from './route/link.tsx';
import { parameter, sessionAddress } from './route/route.ts';
import { useTitle } from './route/title.ts';

/** A session: its facts, and its conversation, files or forks. */
export function SessionPage({ id, view }: { id: string; view: string }) {
  const answer = useAnswer<SessionView>(id, (abort) =>
    get(`/api/v1/sessions/${encodeURIComponent(id)}`, {}, abort),
  );
  const { data, problem } = answer;
  useEffect(
    () =>
      changedSession.subscribe((changed) => {
        if (changed?.id === data?.session.session_id && data !== null) answer.reload();
      }),
    [data?.session.session_id],
  );
  useTitle(data?.session.title ?? '');
  if (problem !== null && data === null) return <Failure problem={problem} retry={answer.reload} />;
  return (
    <div class="session">
      <SessionHead data={data} view={view} reload={answer.reload} />
      {data === null ? <Skeleton lines={6} height={120} /> : <Body data={data} view={view} />}
    </div>
  );
}

function Body({ data, view }: { data: SessionView; view: string }) {
  if (view === 'files')
    return <Later key="files" load={async () => bind((await import('./more-views.ts')).FilesView, data)} />;
  if (view === 'forks')
    return <Later key="forks" load={async () => bind((await import('./more-views.ts')).ForksView, data)} />;
  return <ReaderView view={data} />;
}

function bind(View: (properties: { view: SessionView }) => preact.JSX.Element, data: SessionView) {
  return () => <View view={data} />;
}

function SessionHead(properties: { data: SessionView | null; view: string; reload: () => void }) {
  const { data, view, reload } = properties;
  if (data === null) return <header class="session-head" />;
  const { session, resume, local, restorable, longer_on, turn_count, short_ids, usage, titles } = data;
  const q = parameter('q');
  const tabs = [
    ['', 'Conversation', turn_count],
    ['files', 'Files', session.files_touched.length],
    ['forks', 'Forks', null],
  ] as const;
  return (
    <header class="session-head">
      <div class="session-title">
        <h1 title={session.title}>{session.title}</h1>
        {resume !== null && <CopyButton text={resume} label="Copy resume command" />}
      </div>
      <p class="session-facts">
        <SessionFacts session={{ ...session, starred: false, local, restorable }} />
        <span class="facts">
          <span>{period(session.started_at, session.ended_at)}</span>
          {usage !== null && (
            <span title={tokensText(usage)}>
              {shortNumber(usage.output_tokens)} tokens out · {dollars(usage)}
            </span>
          )}
          {session.model !== null && <span>{session.model}</span>}
          <span class="mono">{short_ids[session.session_id]}</span>
          {session.parent !== null && (
            <Link to={sessionAddress(session.parent.session_id)}>
              forked from {titles[session.parent.session_id] ?? ''} {short_ids[session.parent.session_id]}
            </Link>
          )}
          {session.continued_in !== undefined && (
            <Link to={sessionAddress(session.continued_in)}>
              goes on in {titles[session.continued_in] ?? ''} {short_ids[session.continued_in]}
            </Link>
          )}
          {longer_on !== null && <span>continued on {longer_on}</span>}
        </span>
        <SessionMarks id={session.session_id} marks={session} onChange={reload} />
      </p>
      <nav class="tabs" aria-label="Session views">
        {tabs.map(([name, title, number]) => (
          <Link
            key={name}
            to={sessionAddress(session.session_id, { q }, name)}
            aria-current={view === name ? 'page' : undefined}
          >
            {title}
            {number !== null && <small>{count(number)}</small>}
          </Link>
        ))}
      </nav>
    </header>
  );
}

function tokensText(usage: NonNullable<SessionView['usage']>): string {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, without_price } = usage;
  const unknown = without_price.length === 0 ? '' : `; no price is known for ${without_price.join(', ')}`;
  return `Tokens: ${count(input_tokens)} in, ${count(output_tokens)} out, ${count(cache_read_tokens)} from the cache, ${count(cache_write_tokens)} to it${unknown}`;
}
