import type { SessionCard } from '../../domain/summary.ts';
import { agentName, count } from './format.ts';

type Shown = Pick<
  SessionCard,
  'agent' | 'repo_name' | 'branch' | 'message_count' | 'outcome' | 'tags' | 'starred'
> &
  Partial<Pick<SessionCard, 'local' | 'restorable' | 'markers'>>;

/** A session's repository, branch, agent …, in the same order as on the command line. */
export function SessionFacts({ session }: { session: Shown }) {
  const { agent, repo_name, branch, message_count, outcome, tags, starred, markers = [] } = session;
  const facts = [
    ...(branch === null ? [] : [<span class="mono clip">{branch}</span>]),
    agentName(agent),
    count(message_count, 'message'),
    ...(outcome === 'empty' ? [] : [outcome]),
    ...(session.local === false ? [session.restorable ? 'archived' : 'not on this machine'] : []),
    ...markers.map((marker) => marker.toLowerCase().replace('_', ' ')),
  ];
  return (
    <span class="facts">
      <span class="repo clip">{repo_name}</span>
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
export function Badge({ strength }: { strength: string | null }) {
  if (strength === null || strength === 'none') return null;
  return <span class={`badge ${strength}`}>{strength}</span>;
}
