import { get } from '../api/client.ts';
import type { FilesAnswer } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { count, day } from '../parts/format.ts';
import { Outages } from '../parts/outages.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { buildAddress, sessionAddress } from '../route/route.ts';

/** The files that sessions edited lately, and which sessions. */
export function EditedFiles({ repo, days }: { repo: string; days: string }) {
  const values = { repo, since: days === '' ? '' : `${days}d` };
  const { data, problem, reload } = useAnswer<FilesAnswer>(`${repo} ${days}`, (abort) =>
    get('/api/v1/files', values, abort),
  );
  if (problem !== null) return <Failure problem={problem} retry={reload} />;
  if (data === null) return <Skeleton lines={10} height={44} />;
  if (data.files.length === 0) return <Empty title="No session edited a file." />;
  return (
    <>
      <Outages notices={data.notices} />
      <ol class="list">
        {data.files.map((file) => (
          <FileRow key={`${file.repo_name} ${file.path}`} file={file} />
        ))}
      </ol>
      {data.left > 0 && <p class="summary">{count(data.left, 'file')} edited earlier</p>}
    </>
  );
}

function FileRow({ file }: { file: FilesAnswer['files'][number] }) {
  const { path, repo_name, edited_at, sessions, session_count } = file;
  const at = path.lastIndexOf('/') + 1;
  return (
    <li class="edited">
      <div>
        <Link class="title" to={buildAddress('/', { file: path })} title={visible(path)}>
          {visible(path.slice(at))}
        </Link>
        <span class="facts">
          <span>{day(edited_at)}</span>
          <span>{repo_name}</span>
          {at > 0 && (
            <span>
              <span class="mono clip">{visible(path.slice(0, at - 1))}</span>
            </span>
          )}
        </span>
        <ul>
          {sessions.map(({ session_id, title, path: here }) => (
            <li key={session_id}>
              <Link to={sessionAddress(session_id, { path: here }, 'files')}>{title}</Link>
            </li>
          ))}
          {session_count > sessions.length && (
            <li class="muted">{count(session_count - sessions.length, 'older session')}</li>
          )}
        </ul>
      </div>
    </li>
  );
}
