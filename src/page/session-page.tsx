import { useEffect } from 'preact/hooks';
import { costText } from '../domain/text/cost-text.ts';
import { get } from './api/client.ts';
import { changedSession } from './api/live.ts';
import type { SessionView } from './api/types.ts';
import { useAnswer } from './api/use-answer.ts';
import { useKeys } from './keys/keys.ts';
import { SessionMarks } from './marks/session-marks.tsx';
import { CopyButton } from './parts/copy-button.tsx';
import { count, period, shortNumber, took } from './parts/format.ts';
import { inlineCode } from './parts/inline-code.tsx';
import { Later } from './parts/later.tsx';
import { SessionFacts } from './parts/session-line.tsx';
import { Failure, Skeleton } from './parts/states.tsx';
import { ForkDialog } from './reader/fork-dialog.tsx';
import { ReaderView } from './reader/reader-view.tsx';
import { Link } from './route/link.tsx';
import { change, numberParameter, parameter, sessionAddress } from './route/route.ts';
import { useTitle } from './route/title.ts';
import { currentList } from './search/filters.ts';

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
  const forkAt = numberParameter('fork');
  return (
    <div class="session" id="session" tabIndex={-1}>
      <SessionHead data={data} view={view} reload={answer.reload} />
      {data === null ? <Skeleton lines={6} height={120} /> : <Body data={data} view={view} />}
      {data !== null && forkAt !== null && (
        <ForkDialog
          id={data.session.session_id}
          title={data.session.title}
          turn={data.turn_count === 0 ? null : Math.min(forkAt, data.turn_count)}
          rank={numberParameter('rank')}
          onClose={() => change({ fork: null, whole: null, folder: null })}
        />
      )}
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

/** What was asked, decided, found, done and left open. */
function Summary({ data: { session, summary } }: { data: SessionView }) {
  if (summary.length === 0) return null;
  return (
    <details class="session-summary">
      <summary>Summary</summary>
      <ul>
        {summary.map(({ kind, text, turn }) => (
          <li key={`${kind} ${turn} ${text}`}>
            <span class="muted">{kind}</span> {inlineCode(text)}{' '}
            <Link to={sessionAddress(session.session_id, { turn: turn + 1 })}>turn {turn + 1}</Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

function SessionHead(properties: { data: SessionView | null; view: string; reload: () => void }) {
  const { data, view, reload } = properties;
  if (data === null) return <header class="session-head" />;
  const { session, resume, local, restorable, turn_count } = data;
  const address = (name: string) =>
    sessionAddress(
      session.session_id,
      { q: parameter('q'), rank: parameter('rank'), ...currentList() },
      name,
    );
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
        <ForkButton turns={turn_count} isReading={view === ''} />
      </div>
      <div class="session-facts">
        <SessionFacts session={{ ...session, starred: false, local, restorable }} />
        <Numbers data={data} />
        <Origin data={data} />
        <SessionMarks id={session.session_id} marks={session} onChange={reload} />
      </div>
      <Summary data={data} />
      <nav class="tabs" aria-label="Session views">
        {tabs.map(([name, title, number]) => (
          <Link key={name} to={address(name)} aria-current={view === name ? 'page' : undefined}>
            {title}
            {number !== null && <small>{count(number)}</small>}
          </Link>
        ))}
      </nav>
    </header>
  );
}

/** Forks from the turn in view; beside the other views, the whole session. */
function ForkButton({ turns, isReading }: { turns: number; isReading: boolean }) {
  const turn = Math.max(1, Math.min(turns, numberParameter('turn') ?? 1));
  const hasTurn = isReading && turns > 0;
  const fork = () => change(hasTurn ? { fork: turn } : { fork: Math.max(1, turns), whole: 1 });
  useKeys({ f: fork });
  return (
    <button type="button" class="primary" onClick={fork}>
      Fork{hasTurn && ` from turn ${turn}`}
    </button>
  );
}

function Numbers({ data: { session, usage, context } }: { data: SessionView }) {
  const { started_at, ended_at, model, commits } = session;
  const lasted = took(started_at, ended_at);
  return (
    <span class="facts">
      <span>
        {period(started_at, ended_at)}
        {lasted !== '' && ` (${lasted})`}
      </span>
      {model !== null && <span>{model}</span>}
      {usage !== null && (
        <span title={tokensText(usage)}>
          {shortNumber(usage.output_tokens)}
          {usage.partial_requests > 0 && '+'} tokens out
        </span>
      )}
      {context !== null && (
        <span title={`${count(context.tokens)} tokens of the model’s context`}>
          context {shortNumber(context.tokens)}
          {context.window !== null && ` (${Math.round((100 * context.tokens) / context.window)}%)`}
        </span>
      )}
      {usage !== null && <span title={tokensText(usage)}>{costText(usage)}</span>}
      {commits.length > 0 && (
        <Link to={sessionAddress(session.session_id, {}, 'files')}>{count(commits.length, 'commit')}</Link>
      )}
    </span>
  );
}

/** Its id, and the sessions that it comes from and goes on in. */
function Origin({ data: { session, longer_on, short_ids, titles } }: { data: SessionView }) {
  const { session_id, parent, continued_in } = session;
  const named = (id: string) => `${titles[id] ?? ''} ${short_ids[id]}`;
  return (
    <span class="facts">
      <span class="mono">{short_ids[session_id]}</span>
      {parent !== null && (
        <Link to={sessionAddress(parent.session_id)}>forked from {named(parent.session_id)}</Link>
      )}
      {continued_in !== undefined && (
        <Link to={sessionAddress(continued_in)}>goes on in {named(continued_in)}</Link>
      )}
      {longer_on !== null && <span>continued on {longer_on}</span>}
    </span>
  );
}

function tokensText(usage: NonNullable<SessionView['usage']>): string {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, without_price } = usage;
  const { partial_requests: partial } = usage;
  const least = partial === 0 ? '' : `; +: at least, ${count(partial, 'request')} without a final number`;
  const unknown = without_price.length === 0 ? '' : `; no price is known for ${without_price.join(', ')}`;
  return `Tokens: ${count(input_tokens)} in, ${count(output_tokens)} out, ${count(cache_read_tokens)} from the cache, ${count(cache_write_tokens)} to it${unknown}${least}`;
}
