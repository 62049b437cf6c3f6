import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { StatsReport } from '../../domain/summary.ts';
import { bytes } from '../../domain/text/time-text.ts';
import { get } from '../api/client.ts';
import { indexing } from '../api/live.ts';
import type { Check, Setting, StatusReport } from '../api/types.ts';
import { type Answer, useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { CheckRow } from '../parts/check-row.tsx';
import { count, dayAndClock } from '../parts/format.ts';
import { Failure, Skeleton } from '../parts/states.tsx';
import { change, parameter } from '../route/route.ts';
import { useTitle } from '../route/title.ts';

/** Counts of indexed, embedded and pending passages; problems with their fixes; settings with their origins. */
export function StateView() {
  const stats = useAnswer<StatsReport>('stats', (abort) => get('/api/v1/stats', {}, abort));
  const status = useAnswer<StatusReport>('status', (abort) => get('/api/v1/status', {}, abort));
  const doctor = useAnswer<{ checks: Check[] }>('doctor', (abort) => get('/api/v1/doctor', {}, abort));
  const settings = useAnswer<{ path: string; settings: Setting[] }>('settings', (abort) =>
    get('/api/v1/settings', {}, abort),
  );
  useTitle('State');
  // What the worker does changes what is counted.
  useEffect(
    () =>
      indexing.subscribe((progress) => {
        if (progress === null) return;
        stats.reload();
        status.reload();
      }),
    [],
  );
  // Parts appear from top to bottom, so that nothing moves.
  const isThere = ({ data, problem }: Answer<unknown>) => data !== null || problem !== null;
  return (
    <div class="column wide">
      <div class="view-head">
        <h1>State</h1>
      </div>
      <Part title="Index" answer={stats} lines={8}>
        {(data) => <Index stats={data} />}
      </Part>
      {isThere(stats) && (
        <Part title="Worker and server" answer={status} lines={4}>
          {(data) => <Worker status={data} />}
        </Part>
      )}
      {[stats, status].every(isThere) && (
        <Part title="Doctor" answer={doctor} lines={8}>
          {(data) => <Checks checks={data.checks} />}
        </Part>
      )}
      {[stats, status, doctor].every(isThere) && (
        <Part title="Settings" answer={settings} lines={12}>
          {(data) => <Settings path={data.path} settings={data.settings} />}
        </Part>
      )}
    </div>
  );
}

function Part<T>(properties: {
  title: string;
  answer: Answer<T>;
  lines: number;
  children: (data: T) => ComponentChildren;
}) {
  const { title, answer, lines, children } = properties;
  const { data, problem, reload } = answer;
  return (
    <section class="part">
      <h2>{title}</h2>
      {problem !== null && <Failure problem={problem} retry={reload} />}
      {data === null && problem === null && <Skeleton lines={lines} height={24} />}
      {data !== null && problem === null && children(data)}
    </section>
  );
}

function Facts({ facts }: { facts: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="pairs">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Index({ stats }: { stats: StatsReport }) {
  const { sessions, chunks, intents, vectors, waiting, store, archive, last_synced, unread, by_repo } = stats;
  const passages = chunks + intents;
  const notEmbedded = waiting.chunks + waiting.intents;
  return (
    <>
      <Facts
        facts={[
          ['Sessions', `${count(sessions)} in ${count(by_repo.length, 'repository', 'repositories')}`],
          ['Passages', count(passages)],
          ['Embedded', count(vectors) + (notEmbedded > 0 ? `; ${count(notEmbedded)} not embedded yet` : '')],
          ['Model', store.model ?? 'none: keyword search only'],
          ['Store', <span class="mono">{store.location}</span>],
          ['Size', bytes(store.bytes)],
          [
            'Archive',
            archive.enabled
              ? `${count(archive.sessions, 'transcript')}, ${bytes(archive.stored_bytes)}`
              : 'off',
          ],
          ['Last indexed', last_synced === null ? 'never' : dayAndClock(last_synced)],
        ]}
      />
      {unread.map((one) => (
        <details key={one.reason}>
          <summary>Not read: {one.summary}</summary>
          <ul class="mono">
            {one.files.map((file) => (
              <li key={file}>{visible(file)}</li>
            ))}
          </ul>
          {one.file_count > one.files.length && <p>and {count(one.file_count - one.files.length)} more</p>}
        </details>
      ))}
      <Bars values={by_repo.slice(0, 8)} />
    </>
  );
}

function Bars({ values }: { values: { value: string; count: number }[] }) {
  const most = Math.max(...values.map((one) => one.count), 1);
  return (
    <ul class="bars" aria-label="Sessions by repository">
      {values.map(({ value, count: number }) => (
        <li key={value}>
          <span class="clip">{value}</span>
          <span class="bar" style={{ width: `${(number / most) * 100}%` }} aria-hidden="true" />
          <span class="number">{count(number)}</span>
        </li>
      ))}
    </ul>
  );
}

function Worker({ status: { worker, server, problems } }: { status: StatusReport }) {
  return (
    <>
      <Facts
        facts={[
          ['Worker', worker.running ? (worker.record?.state ?? 'running') : 'not running'],
          ['Queue', `${count(worker.waiting, 'transcript')} waiting, ${count(worker.failed)} failed`],
          [
            'Server',
            server === null ? (
              'none: everything stays on this machine'
            ) : (
              <span class="mono">{server.address}</span>
            ),
          ],
          ...(server === null
            ? []
            : ([['To be sent', count(server.outbox.waiting, 'session')]] as [string, ComponentChildren][])),
        ]}
      />
      {[...problems, ...(server?.problem ? [server.problem] : [])].map(({ message, hint }) => (
        <p class="notice" key={message}>
          {message} {hint}
        </p>
      ))}
    </>
  );
}

function Checks({ checks }: { checks: Check[] }) {
  return (
    <ul class="checks">
      {checks.map((check, index) => (
        <CheckRow key={index} check={check} />
      ))}
    </ul>
  );
}

function Settings({ path, settings }: { path: string; settings: Setting[] }) {
  const isAll = parameter('settings') === 'all';
  const shown = settings.filter(({ origin }) => isAll || origin !== 'default');
  return (
    <>
      <p class="muted">
        <span class="mono">{path}</span>{' '}
        <button type="button" class="quiet" onClick={() => change({ settings: isAll ? null : 'all' })}>
          {isAll ? 'Show only changed settings' : `Show all ${settings.length}`}
        </button>
      </p>
      {shown.length === 0 && <p>All settings have their defaults.</p>}
      {shown.length > 0 && (
        <div class="table" tabIndex={0} role="region" aria-label="Settings">
          <table>
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">Value</th>
                <th scope="col">Origin</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ key, value, origin, description }) => (
                <tr key={key}>
                  <th scope="row" class="mono">
                    {key}
                  </th>
                  <td class="mono">{value === null || value === undefined ? '' : String(value)}</td>
                  <td>{origin}</td>
                  <td>{description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
