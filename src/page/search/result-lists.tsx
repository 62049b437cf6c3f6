import type { FoundTogether, SearchResponse, SearchResult } from '../../domain/search-result.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { foundText } from '../../domain/text/found-text.ts';
import { clock, localDate } from '../../domain/text/time-text.ts';
import { indexing } from '../api/live.ts';
import type { Names, SearchAnswer, SessionPage } from '../api/types.ts';
import { Command } from '../parts/command.tsx';
import { count, weekday } from '../parts/format.ts';
import { isIndexing } from '../parts/indexing.tsx';
import { isOutage, Outages } from '../parts/outages.tsx';
import { SessionFacts } from '../parts/session-line.tsx';
import { Empty } from '../parts/states.tsx';
import { Link } from '../route/link.tsx';
import { change, numberParameter, sessionAddress } from '../route/route.ts';
import { currentFilters, currentList, removeFilters } from './filters.ts';
import { Result } from './result.tsx';
import { MAX_RESULTS, PAGE_SIZE } from './use-results.ts';

export function ResultList({ answer, selected }: { answer: SearchAnswer; selected: number }) {
  const { results, took_ms, mode, understood, preferred, together } = answer;
  return (
    <>
      <Outages notices={answer.notices} />
      <p class="summary">
        <span>
          {foundText(results.length, answer.matched, count)} · {mode} search · {Math.round(took_ms)} ms
        </span>
        {understood.map(({ text }) => (
          <span key={text}>{text}</span>
        ))}
        {together !== undefined && <span>{togetherText(together, results)}</span>}
        {preferred !== undefined && <span>sessions of {preferred} first</span>}
      </p>
      <Notices answer={answer} />
      {results.length === 0 && <NothingFound answer={answer} />}
      <ol class="list">
        {results.map((result, index) => (
          <Result
            key={result.session_id}
            result={result}
            names={answer}
            place={index + 1}
            isSelected={index + 1 === selected}
          />
        ))}
      </ol>
      <More isMore={results.length >= (numberParameter('pages') ?? 1) * PAGE_SIZE} shown={results.length} />
    </>
  );
}

/** Refers to sessions by title, because the list has no numbers. */
function togetherText({ session_ids, coverage }: FoundTogether, results: SearchResult[]): string {
  const titles = session_ids.map((id) => results.find(({ session_id }) => session_id === id)?.title ?? id);
  return `${titles.map((title) => `“${title}”`).join(' and ')} together cover ${Math.round(100 * coverage)}% of the query`;
}

function More({ isMore, shown }: { isMore: boolean; shown: number }) {
  if (!isMore) return null;
  if (shown >= MAX_RESULTS)
    return <p class="summary">These are the first {MAX_RESULTS}. A filter shows others.</p>;
  const next = (numberParameter('pages') ?? 1) + 1;
  return (
    <button type="button" class="more" onClick={() => change({ pages: next })}>
      Show more
    </button>
  );
}

/** Advice that is the same after every search is left to the terminal. */
const SHOWN_ONCE = ['KEYWORD_ONLY', 'NO_VECTORS', 'EMBEDDINGS_WAITING'];

function Notices({ answer: { notices, fit } }: { answer: SearchResponse }) {
  const isWeak = fit?.level === 'unlikely' || fit?.level === 'nothing';
  const isSure = fit?.level === 'strong' || fit?.level === 'likely';
  const shown = notices.filter(
    (notice) =>
      !isOutage(notice) &&
      (!isSure || !SHOWN_ONCE.includes(notice.code)) &&
      !(isWeak && notice.message === fit.text),
  );
  return (
    <>
      {isWeak && <p class="notice fit">{fit.text}:</p>}
      {shown.map(({ code, message, hint }) => (
        <p class="notice" key={code}>
          {message}
          {hint !== undefined && <small> · {hint}</small>}
        </p>
      ))}
    </>
  );
}

function NothingFound({ answer: { filters = [], words = [], sessions } }: { answer: SearchResponse }) {
  return (
    <Empty title="No session found.">
      {filters.length > 0 && (
        <ul>
          {filters.map((filter) => (
            <li key={filter.filter}>
              {filter.filter} {filter.value}: {count(filter.sessions)} of{' '}
              {count(filter.of ?? sessions ?? 0, 'session')}
            </li>
          ))}
        </ul>
      )}
      {words.length > 0 && (
        <p>
          {words
            .map(
              ({ word, sessions: found, similar }) =>
                `“${word}” occurs in ${found === 0 ? 'no session' : count(found, 'session')}${similar === undefined ? '' : ` (did you mean “${similar}”?)`}`,
            )
            .join('; ')}
          .
        </p>
      )}
      {Object.keys(currentFilters()).length > 0 && (
        <button type="button" onClick={removeFilters}>
          Search without filters
        </button>
      )}
    </Empty>
  );
}

/** Sessions by day, one line each. */
export function NewestList({ page, selected }: { page: SessionPage; selected: number }) {
  const { sessions, cursor } = page;
  if (sessions.length === 0) return <NoSessions />;
  const dates = [...new Set(sessions.map(({ ended_at }) => localDate(ended_at)))];
  return (
    <>
      <Outages notices={page.notices} />
      {dates.map((date) => (
        <section key={date} class="day">
          <h2>{date === '' ? 'No date' : weekday(date)}</h2>
          <ol class="list">
            {sessions.map((session, index) =>
              localDate(session.ended_at) !== date ? null : (
                <SessionRow
                  key={session.session_id}
                  session={session}
                  names={page}
                  isSelected={index + 1 === selected}
                />
              ),
            )}
          </ol>
        </section>
      ))}
      <More isMore={cursor !== null} shown={sessions.length} />
    </>
  );
}

function NoSessions() {
  const isFiltered = Object.keys(currentFilters()).length > 0;
  if (isFiltered)
    return (
      <Empty title="No session matches these filters.">
        <button type="button" onClick={removeFilters}>
          Remove the filters
        </button>
      </Empty>
    );
  if (isIndexing()) return null;
  const damaged = indexing.value?.sessions ?? 0;
  if (damaged > 0)
    return (
      <Empty title={`No record of the ${count(damaged, 'indexed session')} can be read.`}>
        <p>Index the transcripts again:</p>
        <Command text="smart-fork reindex" />
      </Empty>
    );
  return (
    <Empty title="Nothing is indexed yet.">
      <p>Index the transcripts on this machine:</p>
      <Command text="smart-fork index" />
    </Empty>
  );
}

export function SessionRow(properties: { session: SessionCard; names: Names; isSelected?: boolean }) {
  const { session, names, isSelected = false } = properties;
  return (
    <li class={isSelected ? 'row selected' : 'row'} aria-current={isSelected}>
      <time>{clock(session.ended_at)}</time>
      <div>
        <Link class="title" to={sessionAddress(session.session_id, currentList())}>
          {session.title}
        </Link>
        <SessionFacts session={session} names={names} />
      </div>
    </li>
  );
}
