import { activeDays, ideaList, recalled, sessionTopics } from '../../domain/json/memory.ts';
import { days } from '../../operations/memory/days.ts';
import { ideas } from '../../operations/memory/ideas.ts';
import { recall } from '../../operations/memory/recall.ts';
import { topics } from '../../operations/memory/topics.ts';
import { operationRoute } from '../operation-route.ts';
import { namesOf, namesShape, parentsOf, shortIdsOf, shortIdsShape } from '../short-ids.ts';

export const getIdeas = operationRoute({
  operation: ideas,
  method: 'get',
  path: '/api/v1/ideas',
  tag: 'memory',
  output: ideaList.extend(shortIdsShape),
  async answer(list, open) {
    const ids = [...new Set(list.ideas.map(({ session_id }) => session_id))];
    return { ...list, ...(await shortIdsOf(open, ids)) };
  },
});

export const getRecall = operationRoute({
  operation: recall,
  method: 'get',
  path: '/api/v1/recall',
  tag: 'memory',
  names: { kinds: 'kind' },
  output: recalled.extend(shortIdsShape),
  async answer(found, open) {
    const { answers, groups, others } = found;
    const sessions = [...[...answers, ...groups].map(({ session }) => session), ...others];
    const ids = [...new Set(sessions.map(({ session_id }) => session_id))];
    return { ...found, ...(await shortIdsOf(open, ids)) };
  },
});

export const getTopics = operationRoute({
  operation: topics,
  method: 'get',
  path: '/api/v1/topics',
  tag: 'memory',
  names: { id: 'session' },
  output: sessionTopics,
});

export const getDays = operationRoute({
  operation: days,
  method: 'get',
  path: '/api/v1/days',
  tag: 'memory',
  output: activeDays.extend(namesShape),
  async answer(found, open) {
    const cards = found.days.flatMap(({ sessions }) => sessions);
    return { ...found, ...(await namesOf(open, parentsOf(cards))) };
  },
});
