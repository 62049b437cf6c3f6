import { z } from 'zod';
import type { LegacyCollection, LegacyPoint } from '../../../ports/remote-store.ts';
import { MAX_ANSWER_BYTES } from '../../http/read-limited.ts';
import { infoIn, type Page, pageIn } from '../http/check-answer.ts';
import { describeQdrantError, unlessMissing } from '../http/errors.ts';
import { chunksOf } from '../http/reads.ts';
import { openServer } from '../http/server.ts';
import type { QdrantOptions } from '../options.ts';
import { isLegacyShape } from '../schema/collection-shape.ts';
import { anyOf } from '../schema/filters.ts';
import type { PointRecord, Schemas } from '../types.ts';

const common = {
  session_id: z.string().min(1),
  repo_id: z.string(),
  repo_name: z.string(),
  chunk_index: z.int().min(0),
};
const PAYLOAD = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('intent'),
    repo_path: z.string().nullish(),
    machine: z.string().nullish(),
    timestamp: z.string().nullish(),
    content_hash: z.string().nullish(),
    intent_text: z.string().optional(),
  }),
  z.object({ ...common, type: z.literal('chunk'), content: z.string().optional() }),
]);

/** Points per page: about 2 MB with texts, 700 KB without. */
const PAGE = { texts: 500, heads: 2000 };
const IDS_PER_FILTER = 500;

/**
 * Opens a collection of the Python smart-fork for reading; null if it is missing or belongs to another program.
 * @throws SmartForkError STORE_UNAVAILABLE, CONFIG_INVALID
 */
export async function readLegacyCollection(
  options: Pick<QdrantOptions, 'url' | 'apiKey' | 'collection' | 'timeouts' | 'retries'>,
): Promise<LegacyCollection | null> {
  const server = openServer(options);
  const explained = (error: unknown) => describeQdrantError(error, server.address, options.collection);
  const info = await unlessMissing(server.read('getCollection', {}, infoIn)).catch((error: unknown) => {
    throw explained(error);
  });
  if (info === null || !isLegacyShape(info)) {
    server.close();
    return null;
  }
  const ask: Ask = (body) =>
    server.read('scrollPoints', body, (answer) => pageIn(answer, body), MAX_ANSWER_BYTES);
  return {
    async *points(what) {
      try {
        yield* pointsOf(ask, what);
      } catch (error) {
        throw explained(error);
      }
    },
    close: () => server.close(),
  };
}

type Ask = (body: Schemas['ScrollRequest']) => Promise<Page>;

async function* pointsOf(
  ask: Ask,
  { texts, sessionIds }: { texts: boolean; sessionIds?: string[] },
): AsyncGenerator<LegacyPoint[]> {
  const groups = sessionIds === undefined ? [null] : chunksOf(sessionIds, IDS_PER_FILTER);
  for (const ids of groups) {
    const page = (offset: Page['next']): Promise<Page> =>
      ask({
        limit: texts ? PAGE.texts : PAGE.heads,
        with_payload: texts ? true : { exclude: ['intent_text', 'content'] },
        filter: ids === null ? null : { must: [anyOf('session_id', ids)] },
        offset,
      });
    let next: Promise<Page> | null = page(null);
    while (next !== null) {
      const answer: Page = await next;
      // Fetched while the caller reads this page; the next `await` reports its error.
      next = answer.next === null ? null : page(answer.next);
      next?.catch(() => undefined);
      yield answer.points.flatMap(pointOf);
    }
  }
}

function pointOf({ id, payload }: PointRecord): LegacyPoint[] {
  const { success, data } = PAYLOAD.safeParse(payload);
  if (!success) return [];
  const { session_id, repo_id, repo_name, chunk_index } = data;
  const known = { id: String(id), session_id, repo_id, repo_name, chunk_index };
  const unknown = { repo_path: null, machine: null, timestamp: null, content_hash: null };
  if (data.type === 'chunk') return [{ ...known, ...unknown, type: 'chunk', text: data.content ?? null }];
  return [
    {
      ...known,
      type: 'intent',
      repo_path: data.repo_path ?? null,
      machine: data.machine ?? null,
      timestamp: data.timestamp ?? null,
      content_hash: data.content_hash ?? null,
      text: data.intent_text ?? null,
    },
  ];
}
