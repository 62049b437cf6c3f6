import type { LaterView, RecalledAnswer, RecalledGroup } from '../../domain/memory/memory-result.ts';
import { doubtText, kindText, LATER_TEXTS, relationText } from '../../domain/text/memory-text.ts';
import { get } from '../api/client.ts';
import type { Recalled, ShortIds } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { visible } from '../markdown/visible.ts';
import { count, day } from '../parts/format.ts';
import { inlineCode } from '../parts/inline-code.tsx';
import { isOutage, Outages } from '../parts/outages.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { sessionAddress } from '../route/route.ts';
import { FoundRow, IdeaRow } from './idea-row.tsx';

/** Longer than for a search, because an answer takes longer too. */
const TYPING_MS = 250;

/** The answers to a question, quoted from the sessions; then what is related. */
export function RecalledAnswers({ values }: { values: Record<string, string> }) {
  const { data, problem, reload, isLoading } = useAnswer<Recalled>(
    JSON.stringify(values),
    (abort) => get('/api/v1/recall', values, abort),
    { delayMs: TYPING_MS },
  );
  if (problem !== null) return <Failure problem={problem} retry={reload} />;
  if (data === null) return <Skeleton lines={8} height={64} />;
  return (
    <div aria-busy={isLoading} class={isLoading ? 'waiting' : ''}>
      <Answers found={data} />
    </div>
  );
}

function Answers({ found }: { found: Recalled }) {
  const { query, answers, groups, others, understood, preferred, notices, short_ids, fits, mode } = found;
  const isEmpty = answers.length + groups.length === 0;
  return (
    <>
      <Outages notices={notices} />
      <p class="summary">
        <span>
          {count(answers.length, 'answer')} · {mode} search · {Math.round(found.took_ms)} ms
        </span>
        {understood.map(({ text }) => (
          <span key={text}>{text}</span>
        ))}
        {preferred !== undefined && <span>sessions of {preferred} first</span>}
      </p>
      {notices
        .filter((notice) => !isOutage(notice) && notice.code !== 'KEYWORD_ONLY')
        .map(({ code, message }) => (
          <p class="notice" key={code}>
            {message}
          </p>
        ))}
      {isEmpty && <Empty title="Past sessions don’t say.">Nothing was found for “{visible(query)}”.</Empty>}
      {!isEmpty && !fits && <p class="notice">{doubtText(found)}. What comes closest:</p>}
      <ol class="list">
        {answers.map((answer) => (
          <AnswerRow
            key={`${answer.session.session_id} ${answer.text}`}
            answer={answer}
            shortIds={short_ids}
          />
        ))}
      </ol>
      {groups.length > 0 && (
        <>
          {answers.length > 0 && <h2 class="related">Related</h2>}
          <ol class="list">
            {groups.map((group) => (
              <Group key={`${group.session.session_id} ${group.topic}`} group={group} shortIds={short_ids} />
            ))}
          </ol>
        </>
      )}
      {others.length > 0 && (
        <>
          <h2 class="related">Also found</h2>
          <ul>
            {others.map(({ session_id, title, ended_at }) => (
              <li key={session_id}>
                <Link to={sessionAddress(session_id, { q: query })}>{title}</Link>{' '}
                <small>{day(ended_at)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function AnswerRow({ answer, shortIds }: { answer: RecalledAnswer; shortIds: ShortIds }) {
  const { session, turn, timestamp, by, text, asked, idea, relations, later } = answer;
  const { session_id, title, repo_name } = session;
  const speaker = by === 'user' ? 'you' : 'agent';
  return (
    <FoundRow
      kind={idea?.kind ?? speaker}
      name={idea === null ? speaker : kindText(idea)}
      place={{ session_id, session_title: title, shortId: shortIds[session_id], turn, timestamp }}
      notes={[...(idea === null ? [] : [speaker]), repo_name]}
    >
      <blockquote class="answer">{inlineCode(text)}</blockquote>
      {asked !== null && <p class="asked clip">to: {visible(asked)}</p>}
      {later !== null && <Later later={later} own={session_id} />}
      {relations.map(({ kind, reversed, idea: other }) => (
        <p class="note" key={`${kind} ${other.id}`}>
          {relationText(kind, reversed)}: {inlineCode(other.content)}
        </p>
      ))}
    </FoundRow>
  );
}

function Later({ later, own }: { later: LaterView; own: string }) {
  const { why, session_id, session_title = '', turn, text } = later;
  return (
    <p class="note">
      <strong>{LATER_TEXTS[why]}</strong>{' '}
      <Link to={sessionAddress(session_id, { turn: turn + 1 })}>
        {session_id === own ? '' : `${session_title}, `}turn {turn + 1}
      </Link>
      : {visible(text)}
    </p>
  );
}

function Group({ group: { session, lines }, shortIds }: { group: RecalledGroup; shortIds: ShortIds }) {
  const { session_id, title } = session;
  const shortId = shortIds[session_id];
  return (
    <>
      {lines.map(({ type, idea, relations, text, turn, timestamp }) =>
        idea === null ? (
          <FoundRow
            key={`${turn} ${text}`}
            kind={type}
            place={{ session_id, session_title: title, shortId, turn, timestamp }}
          >
            <p>{inlineCode(text)}</p>
          </FoundRow>
        ) : (
          <IdeaRow key={idea.id} idea={{ ...idea, relations, session_title: title }} shortId={shortId} />
        ),
      )}
    </>
  );
}
