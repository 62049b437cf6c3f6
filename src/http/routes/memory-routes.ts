import { ideaList, recalled, sessionTopics, timelineDays } from '../../domain/json/memory.ts';
import { days } from '../../operations/memory/days.ts';
import { ideas } from '../../operations/memory/ideas.ts';
import { recall } from '../../operations/memory/recall.ts';
import { topics } from '../../operations/memory/topics.ts';
import { operationRoute } from '../operation-route.ts';
import { shortIdsOf, shortIdsShape } from '../short-ids.ts';

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
  output: recalled,
});

export const getTopics = operationRoute({
  operation: topics,
  method: 'get',
  path: '/api/v1/topics',
  tag: 'memory',
  names: { id: 'session' },
  output: sessionTopics,
});

export const getTimeline = operationRoute({
  operation: days,
  method: 'get',
  path: '/api/v1/timeline',
  tag: 'memory',
  output: timelineDays,
});
