import type { Understood } from '../../domain/query/understanding.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import { understoodAs } from '../search/understand/apply-understanding.ts';
import { askRestricted } from '../search/understand/ask-restricted.ts';
import {
  type Said,
  type UnderstandDependencies,
  understandRequest,
} from '../search/understand/understand-request.ts';
import { withOutcomes } from './recall/understand-question.ts';
import { type Timeline, type TimelineDependencies, type TimelineRequest, timeline } from './timeline.ts';

export interface FollowedTimeline extends Timeline {
  understood: Understood[];
  ignored?: Understood[];
}

interface FollowDependencies extends TimelineDependencies {
  searchAids: Pick<UnderstandDependencies, 'times'>;
  machine: ThisMachine;
}

/** A timeline of the topic and the filters in a query, as search reads them. If nothing matches them, it is without them. */
export async function followQuery(
  deps: FollowDependencies,
  { query = '', literal, ...request }: TimelineRequest & { literal?: boolean; here?: SessionFilter['repo'] },
): Promise<FollowedTimeline> {
  const { store, machine } = deps;
  const now = machine.now();
  const asked = { query, filter: request.filter, literal };
  const said = await withOutcomes(
    store,
    await understandRequest({ ...deps, ...deps.searchAids }, asked, now),
  );
  const tell = ({ filter }: Pick<Said, 'filter'>) =>
    timeline(deps, {
      ...request,
      query: said.text || undefined,
      filter:
        filter.repo === undefined && request.here !== undefined ? { ...filter, repo: request.here } : filter,
    });
  const { answer, isIgnored, notices } = await askRestricted(
    store,
    said,
    now,
    tell,
    ({ sessions }) => sessions.length === 0,
  );
  return {
    ...answer,
    ...understoodAs(said.understood, isIgnored),
    notices: [...said.notices, ...notices, ...answer.notices],
  };
}
