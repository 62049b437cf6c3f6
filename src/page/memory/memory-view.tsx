import { get } from '../api/client.ts';
import type { IdeaList } from '../api/types.ts';
import { type Answer, useAnswer } from '../api/use-answer.ts';
import { count } from '../parts/format.ts';
import { Outages } from '../parts/outages.tsx';
import { EVERYWHERE, RepositorySelect } from '../parts/select.tsx';
import { Empty, Failure, Skeleton } from '../parts/states.tsx';
import { change, parameter } from '../route/route.ts';
import { useTitle } from '../route/title.ts';
import { IdeaRow } from './idea-row.tsx';
import { RecalledAnswers } from './recalled.tsx';
import { Topics } from './topics.tsx';

const KINDS = [
  ['', 'All'],
  ['decision', 'Decisions'],
  ['question', 'Questions'],
  ['problem', 'Problems'],
  ['solution', 'Solutions'],
  ['todo', 'Todos'],
  ['conclusion', 'Conclusions'],
  ['topics', 'Topics'],
] as const;

/**
 * Decisions, questions, solutions and open items of past sessions, each with the turn it comes from; or the answers to a question; or
 * topics over sessions.
 */
export function MemoryView() {
  const [kind = '', q = '', chosen = '', open = ''] = ['kind', 'q', 'repo', 'open'].map(parameter);
  const everywhere = chosen === EVERYWHERE ? '1' : '';
  const repo = everywhere === '' ? chosen : '';
  const isTopics = kind === 'topics';
  const values = { kind: isTopics ? '' : kind, repo, open, everywhere };
  const isAsked = !isTopics && q.trim() !== '';
  const answer = useAnswer<IdeaList>(isAsked ? null : JSON.stringify(values), (abort) =>
    get('/api/v1/ideas', values, abort),
  );
  useTitle('Memory');
  const { data } = answer;
  return (
    <div class="column">
      <div class="view-head">
        <h1>Memory</h1>
        <RepositorySelect here={isAsked ? null : (data?.repository ?? null)} />
        {!isTopics && (
          <label class="switch">
            <input
              type="checkbox"
              checked={open === '1'}
              onChange={() => change({ open: open === '1' ? null : 1 })}
            />
            Only open
          </label>
        )}
      </div>
      {!isTopics && (
        <input
          id="memory-query"
          type="search"
          aria-label="What did we decide, ask or solve?"
          placeholder="What did we decide, ask or solve?"
          value={q}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
      )}
      <div class="chips" role="group" aria-label="Kind">
        {KINDS.map(([value, name]) => (
          <button
            type="button"
            class="chip"
            key={value}
            aria-pressed={kind === value}
            onClick={() => change({ kind: value })}
          >
            {name}
          </button>
        ))}
      </div>
      {isTopics && <Topics repo={repo} everywhere={everywhere} />}
      {isAsked && <RecalledAnswers values={{ ...values, q: q.trim() }} />}
      {!isTopics && !isAsked && <Found answer={answer} isAll={kind === '' && open === ''} />}
    </div>
  );
}

function Found({ answer: { data, problem, reload }, isAll }: { answer: Answer<IdeaList>; isAll: boolean }) {
  if (problem !== null) return <Failure problem={problem} retry={reload} />;
  return data === null ? <Skeleton lines={8} height={64} /> : <Ideas list={data} isAll={isAll} />;
}

function Ideas({ list: { ideas, left, short_ids, notices }, isAll }: { list: IdeaList; isAll: boolean }) {
  if (ideas.length === 0)
    return isAll ? (
      <Empty title="Nothing to remember yet.">
        <p>Decisions, questions and todos are read from sessions when they are indexed.</p>
      </Empty>
    ) : (
      <Empty title="Nothing was found." />
    );
  return (
    <>
      <Outages notices={notices} />
      <p class="summary">
        {count(ideas.length, 'finding')}
        {left !== null && left > 0 && ` of ${count(ideas.length + left)}, newest first`}
      </p>
      <ol class="list">
        {ideas.map((idea) => (
          <IdeaRow key={idea.id} idea={idea} shortId={short_ids[idea.session_id]} />
        ))}
      </ol>
    </>
  );
}
