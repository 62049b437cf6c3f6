import * as z from 'zod';
import { shortIds } from '../compose/sessions/short-ids.ts';
import type { RequestContext } from './context.ts';

export const shortIdsShape = {
  short_ids: z.record(z.string(), z.string()).describe('ids as shortened by the command line'),
};

export async function shortIdsOf(
  { parts }: RequestContext,
  ids: string[],
): Promise<{ short_ids: Record<string, string> }> {
  const shortId = await shortIds(parts, ids);
  return { short_ids: Object.fromEntries(ids.map((id) => [id, shortId(id)])) };
}
