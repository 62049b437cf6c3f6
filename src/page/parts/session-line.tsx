import type { SearchResult } from '../../domain/search-result.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { markerText } from '../../domain/text/marker-text.ts';
import type { Names } from '../api/types.ts';
import { agentName, count } from './format.ts';

type Shown = Pick<
  SessionCard,
  'agent' | 'repo_name' | 'branch' | 'message_count' | 'outcome' | 'tags' | 'starred'
> &
  Partial<Pick<SessionCard, 'local' | 'restorable' | 'markers' | 'parent_session_id'>>;

interface Properties {
  session: Shown;
  shortId?: string;
  /** What the sessions that it may be forked from are called. */
  names?: Names;
}

/** A session's repository, branch, agent …, in the same order as on the command line. */
export function SessionFacts({ session, shortId, names }: Properties) {
  const { agent, repo_name, branch, message_count, outcome, tags, starred, markers = [] } = session;
  const parent = session.parent_session_id ?? null;
  const facts = [
    ...(parent === null || names === undefined
      ? []
      : [
          <span class="clip" key="parent">
            fork of {names.titles[parent] ?? names.short_ids[parent]}
          </span>,
        ]),
    ...(branch === null
      ? []
      : [
          <span class="mono clip" key="branch">
            {branch}
          </span>,
        ]),
    agentName(agent),
    count(message_count, 'message'),
    ...(outcome === 'empty' ? [] : [outcome]),
    ...(session.local === false ? [session.restorable ? 'archived' : 'not on this machine'] : []),
    ...markers.map(markerText),
  ];
  return (
    <span class="facts">
      <span class="repo clip">{repo_name}</span>
      {shortId !== undefined && <span class="mono">{shortId}</span>}
      {facts.map((fact, index) => (
        <span key={index}>{fact}</span>
      ))}
      {starred && (
        <span class="tag" role="img" aria-label="starred">
          ★
        </span>
      )}
      {tags.map((tag) => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
    </span>
  );
}

/** How well a result fits, in the same words as on the command line. */
export function Badge({ result: { strength, certainty, recommended, rank } }: { result: SearchResult }) {
  if (strength === null || strength === 'none') return null;
  const number = certainty !== null && rank <= NUMBERED ? ` · ${certainty}%` : '';
  return (
    <span class={`badge ${strength}`} title="How certain it is that this is the session you mean">
      {recommended ? '★ recommended' : `${strength} match`}
      {number}
    </span>
  );
}

/** As many results as a picker offers. */
const NUMBERED = 3;
