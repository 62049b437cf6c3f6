import * as z from 'zod';
import { OUTCOMES } from '../../domain/json/session.ts';
import { AGENTS, MARKERS } from '../../domain/session/session.ts';

const text = (most: number) => z.string().trim().min(1).max(most);
/** A query parameter that may be repeated. */
const several = (most: number) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(text(4000)).max(most));

export const flag = z
  .enum(['', '0', '1', 'false', 'true'])
  .transform((value) => value === '' || value === '1' || value === 'true');

export const count = (most: number, standard: number) =>
  z.coerce.number().int().min(1).max(most).default(standard);

const filterShape = {
  repo: text(4096).optional().describe('a name, owner/name, host/owner/name or a path'),
  agent: z.enum(AGENTS).optional(),
  machine: text(200).optional(),
  branch: text(300).optional(),
  since: text(60).optional().describe('a date, or an age: 3d, "2 weeks"'),
  until: text(60).optional(),
  tag: text(60).optional(),
  file: text(4096).optional().describe('sessions that changed this file'),
  marker: z.enum(MARKERS).optional(),
};

export const filterQuery = z.object(filterShape);

export const sessionsQuery = z.object({
  ...filterShape,
  cursor: text(1000).optional(),
  limit: count(500, 50),
});

const searchShape = {
  ...filterShape,
  outcome: z.enum(OUTCOMES).optional(),
};

export const searchQuery = z.object({
  ...searchShape,
  q: text(4000),
  also: several(4).optional().describe('other wordings of the query'),
  not: several(20).optional().describe('exclude sessions that contain these texts'),
  exclude: several(50).optional().describe('exclude these sessions: ids or unique prefixes'),
  limit: count(200, 20),
  everywhere: flag.optional(),
  literal: flag.optional(),
  facets: flag.optional().describe('count the sessions by repository, agent, branch and month'),
});

const list = (most: number) => z.array(text(4000)).max(most);

export const searchBody = z.strictObject({
  ...searchShape,
  q: text(4000),
  also: list(4).optional(),
  not: list(20).optional(),
  exclude: list(50).optional(),
  limit: z.int().min(1).max(200).default(20),
  everywhere: z.boolean().optional(),
  literal: z.boolean().optional(),
  facets: z.boolean().optional(),
});

export const sessionParams = z.object({
  id: z.string().min(4).max(200).describe('session id or unique prefix'),
});
