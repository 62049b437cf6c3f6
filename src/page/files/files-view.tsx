import { get } from '../api/client.ts';
import type { FileDiff, SessionFiles, SessionView } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { count } from '../parts/format.ts';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { addressWith, buildAddress, parameter, sessionAddress } from '../route/route.ts';

/** The files that a session changed, with its edits, and its commits. */
export function FilesView({ view }: { view: SessionView }) {
  const { session, turn_count } = view;
  const id = session.session_id;
  const path = `/api/v1/sessions/${encodeURIComponent(id)}/files`;
  const answer = useAnswer<SessionFiles>(`${id} ${turn_count}`, (abort) => get(path, {}, abort));
  if (answer.problem !== null) return <Failure problem={answer.problem} retry={answer.reload} />;
  if (answer.data === null) return <Skeleton lines={8} height={28} />;
  const { files, commits } = answer.data;
  if (files.length === 0 && commits.length === 0) return <Empty title="This session changed no files." />;
  const picked = parameter('path') || (files[0]?.path ?? '');
  return (
    <div class="files">
      <aside class="file-list" tabIndex={0} aria-label="Files and commits">
        <h2>{count(files.length, 'file')}</h2>
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <Link
                to={addressWith({ path: file.path })}
                title={visible(file.path)}
                aria-current={file.path === picked ? 'true' : undefined}
              >
                <FileName path={shorten(file.path, session.repo_path)} />
                <small title={count(file.edits, 'edit')}>{file.edits}</small>
              </Link>
            </li>
          ))}
        </ul>
        {commits.length > 0 && <Commits commits={commits} />}
      </aside>
      {picked !== '' && <Edits key={picked} id={id} path={picked} />}
    </div>
  );
}

function Commits({ commits }: { commits: SessionFiles['commits'] }) {
  return (
    <>
      <h2>{count(commits.length, 'commit')}</h2>
      <ul class="commits">
        {commits.map(({ hash, subject, url }) => (
          <li key={`${hash} ${subject}`}>
            {url !== null && /^https?:\/\//.test(url) ? (
              <a class="mono" href={url} target="_blank" rel="noopener noreferrer">
                {hash.slice(0, 8)}
              </a>
            ) : (
              <span class="mono">{hash.slice(0, 8)}</span>
            )}{' '}
            {visible(subject)} {hash === '' && '(hash not printed)'}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Truncates the folder first. */
function FileName({ path }: { path: string }) {
  const at = path.lastIndexOf('/') + 1;
  return (
    <span class="file-name">
      <span class="clip">{visible(path.slice(0, at))}</span>
      <b>{visible(path.slice(at))}</b>
    </span>
  );
}

function shorten(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function Edits({ id, path }: { id: string; path: string }) {
  const answer = useAnswer<FileDiff>(path, (abort) =>
    get(`/api/v1/sessions/${encodeURIComponent(id)}/diff`, { path }, abort),
  );
  return (
    <section class="edits" aria-label="Edits" tabIndex={0}>
      <div class="edits-head">
        <h2 class="mono">{visible(path)}</h2>
        <Link to={buildAddress('/', { file: path })}>Sessions that changed this file</Link>
      </div>
      {answer.problem !== null && <Failure problem={answer.problem} retry={answer.reload} />}
      {answer.data === null && answer.problem === null && <Skeleton lines={3} height={140} />}
      {answer.data?.edits.length === 0 && <Empty title="The transcript does not contain the changes." />}
      {answer.data?.edits.map(({ turn, before, after }, index) => (
        <article key={index}>
          <h3>
            <Link to={sessionAddress(id, { turn: turn + 1 })}>Turn {turn + 1}</Link>
          </h3>
          <DiffView before={before} after={after} />
        </article>
      ))}
    </section>
  );
}
