import * as z from 'zod';
import { shortIds } from '../compose/sessions/short-ids.ts';
import { openStore, type RequestContext } from './context.ts';

export const shortIdsShape = {
  short_ids: z.record(z.string(), z.string()).describe('ids as shortened by the command line'),
};

/** With the names of the sessions. */
export const namesShape = {
  ...shortIdsShape,
  titles: z.record(z.string(), z.string()).describe('what the sessions are called'),
};

export async function shortIdsOf(
  { parts }: RequestContext,
  ids: string[],
): Promise<{ short_ids: Record<string, string> }> {
  const shortId = await shortIds(parts, ids);
  return { short_ids: Object.fromEntries(ids.map((id) => [id, shortId(id)])) };
}

/** @param titled those of the ids whose titles are wanted */
export async function namesOf(open: RequestContext, ids: string[], titled = ids) {
  const sessions = titled.length === 0 ? [] : await (await openStore(open)).getSessions(titled);
  const titles = Object.fromEntries(sessions.map(({ session_id, title }) => [session_id, title]));
  return { ...(await shortIdsOf(open, ids)), titles };
}

/** The sessions of a list that others were forked from. */
export function parentsOf(cards: { parent_session_id: string | null }[]): string[] {
  return [...new Set(cards.flatMap(({ parent_session_id: id }) => id ?? []))];
}
