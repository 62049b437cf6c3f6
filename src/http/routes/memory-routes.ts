import * as z from 'zod';
import { listIdeas } from '../../app/memory/browse/list-ideas.ts';
import { timelineByDay } from '../../app/memory/browse/timeline-by-day.ts';
import { listTopics } from '../../app/memory/list-topics.ts';
import { recall } from '../../app/memory/recall.ts';
import { readFilter } from '../../app/search/read-filter.ts';
import { ideaList, recalled, sessionTopics, timelineDays } from '../../domain/json/memory.ts';
import { IDEA_KINDS } from '../../domain/session/ideas.ts';
import { openSession, openStore, searchDependencies } from '../context.ts';
import { defineRoute } from '../route.ts';
import { count, filterQuery, flag } from '../schemas/inputs.ts';
import { shortIdsOf, shortIdsShape } from '../short-ids.ts';

const DAY_MS = 86_400_000;

const ofIdeas = {
  kind: z.enum(IDEA_KINDS).optional(),
  open: flag.optional().describe('only open questions, problems and todos'),
};

export const getIdeas = defineRoute({
  method: 'get',
  path: '/api/v1/ideas',
  summary: 'Decisions, questions, solutions and open items of past sessions',
  tag: 'memory',
  query: filterQuery.extend({
    ...ofIdeas,
    q: z.string().trim().max(4000).optional().describe('words to search for'),
    limit: count(500, 50),
  }),
  output: ideaList.extend(shortIdsShape),
  async run({ query: { q, kind, open: onlyOpen = false, limit, ...filters } }, open) {
    const filter = await readFilter(filters, open.parts);
    const request = { filter, query: q || undefined, kind, open: onlyOpen, limit };
    const list = await listIdeas(await searchDependencies(open), request);
    const ids = [...new Set(list.ideas.map(({ session_id }) => session_id))];
    return { ...list, ...(await shortIdsOf(open, ids)) };
  },
});

export const getRecall = defineRoute({
  method: 'get',
  path: '/api/v1/recall',
  summary: 'Answer a question from past decisions and findings',
  tag: 'memory',
  query: filterQuery.extend({
    ...ofIdeas,
    q: z.string().trim().min(1).max(4000),
    literal: flag.optional(),
    limit: count(100, 8),
  }),
  output: recalled,
  async run({ query: { q, kind, open: onlyOpen, literal = false, limit, ...filters } }, open) {
    const filter = await readFilter(filters, open.parts);
    const only = { kinds: kind ? [kind] : undefined, open: onlyOpen || undefined };
    return recall(await searchDependencies(open), { query: q, filter, ...only, literal, limit });
  },
});

export const getTopics = defineRoute({
  method: 'get',
  path: '/api/v1/topics',
  summary: 'The topics of a session, or of the newest sessions',
  tag: 'memory',
  query: filterQuery.extend({
    session: z.string().min(4).max(200).optional().describe('session id or unique prefix'),
    limit: count(200, 5).describe('number of sessions'),
  }),
  output: sessionTopics,
  async run({ query: { session: id, limit, ...filters } }, open) {
    const filter =
      id === undefined
        ? await readFilter(filters, open.parts)
        : { sessionIds: [(await openSession(open, id)).session.session_id] };
    const store = await openStore(open);
    return { sessions: await listTopics({ ...open.parts, store }, { filter, limit }) };
  },
});

export const getTimeline = defineRoute({
  method: 'get',
  path: '/api/v1/timeline',
  summary: 'Sessions, commits and decisions by day',
  tag: 'memory',
  query: filterQuery.omit({ since: true, until: true }).extend({ days: count(3660, 30) }),
  output: timelineDays,
  async run({ query: { days, ...filters } }, open) {
    const filter = await readFilter(filters, open.parts);
    const since = new Date(open.parts.machine.now() - days * DAY_MS).toISOString();
    return timelineByDay(await searchDependencies(open), { ...filter, since });
  },
});
