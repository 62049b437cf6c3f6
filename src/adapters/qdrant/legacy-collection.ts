import { z } from 'zod';
import type { LegacyCollection, LegacySession, LegacyTexts } from '../../ports/legacy-collection.ts';
import { isLegacyShape } from './collection-shape.ts';
import { describeQdrantError, isMissingCollection } from './errors.ts';
import type { QdrantOptions } from './options.ts';
import { createTransport, type Transport } from './transport.ts';
import type { Filter, PointRecord, Schemas } from './types.ts';

const common = {
  session_id: z.string().min(1),
  repo_id: z.string(),
  repo_name: z.string(),
  chunk_index: z.int().min(0),
};
const HEAD = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('intent'),
    repo_path: z.string().nullish(),
    machine: z.string().nullish(),
    timestamp: z.string().nullish(),
    content_hash: z.string().nullish(),
  }),
  z.object({ ...common, type: z.literal('chunk') }),
]);
const TEXT = z.discriminatedUnion('type', [
  z.object({ type: z.literal('intent'), chunk_index: z.int(), intent_text: z.string() }),
  z.object({ type: z.literal('chunk'), chunk_index: z.int(), content: z.string() }),
]);

const PAGE = 500;

/**
 * Opens a collection that the Python program made, to read it; null when it is another one's or not there.
 * @throws SmartForkError STORE_UNAVAILABLE, CONFIG_INVALID
 */
export async function readLegacyCollection(
  options: Pick<QdrantOptions, 'url' | 'apiKey' | 'collection' | 'timeouts' | 'retries'>,
): Promise<LegacyCollection | null> {
  const transport = createTransport(options);
  const path = `/collections/${encodeURIComponent(options.collection)}`;
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw describeQdrantError(error, transport.address, options.collection);
    }
  };
  const info = await guard(() => infoOf(transport, path));
  if (info === null || !isLegacyShape(info)) {
    transport.close();
    return null;
  }
  return {
    sessions: () => guard(() => listSessions(transport, path)),
    read: (sessionId) => guard(() => readTexts(transport, path, sessionId)),
    close: () => transport.close(),
  };
}

async function infoOf(transport: Transport, path: string): Promise<Schemas['CollectionInfo'] | null> {
  try {
    return await transport.request('read', 'GET', path);
  } catch (error) {
    if (isMissingCollection(error)) return null;
    throw error;
  }
}

async function listSessions(
  transport: Transport,
  path: string,
): Promise<{ sessions: LegacySession[]; skipped: number }> {
  const sessions = new Map<string, LegacySession>();
  let skipped = 0;
  const payload = { exclude: ['intent_text', 'content'] };
  for await (const point of scroll(transport, path, undefined, payload)) {
    const head = HEAD.safeParse(point.payload);
    if (head.success) addPoint(sessions, head.data);
    else skipped += 1;
  }
  const timeOf = ({ timestamp }: LegacySession) => timestamp ?? '';
  const listed = [...sessions.values()].sort((a, b) =>
    timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0,
  );
  return { sessions: listed, skipped };
}

/** Intents alone say where and when. */
function addPoint(sessions: Map<string, LegacySession>, head: z.infer<typeof HEAD>): void {
  const { session_id, repo_id, repo_name } = head;
  const session = sessions.get(session_id) ?? {
    session_id,
    repo_id,
    repo_name,
    repo_path: null,
    machine: null,
    timestamp: null,
    content_hash: null,
    chunks: 0,
    intents: 0,
  };
  sessions.set(session_id, session);
  if (head.type === 'chunk') {
    session.chunks += 1;
    return;
  }
  session.intents += 1;
  session.repo_path ??= head.repo_path ?? null;
  session.machine ??= head.machine ?? null;
  session.timestamp ??= head.timestamp ?? null;
  session.content_hash ??= head.content_hash ?? null;
}

async function readTexts(transport: Transport, path: string, sessionId: string): Promise<LegacyTexts> {
  const filter = { must: [{ key: 'session_id', match: { value: sessionId } }] };
  const found: z.infer<typeof TEXT>[] = [];
  for await (const point of scroll(transport, path, filter, [
    'type',
    'chunk_index',
    'intent_text',
    'content',
  ])) {
    const text = TEXT.safeParse(point.payload);
    if (text.success) found.push(text.data);
  }
  found.sort((a, b) => a.chunk_index - b.chunk_index);
  return {
    intents: found.flatMap((text) => (text.type === 'intent' ? [text.intent_text] : [])),
    chunks: found.flatMap((text) => (text.type === 'chunk' ? [text.content] : [])),
  };
}

async function* scroll(
  transport: Transport,
  path: string,
  filter: Filter | undefined,
  with_payload: Schemas['WithPayloadInterface'],
): AsyncGenerator<PointRecord> {
  let offset: unknown = null;
  do {
    const answer: Schemas['ScrollResult'] = await transport.request('read', 'POST', `${path}/points/scroll`, {
      limit: PAGE,
      with_payload,
      ...(filter && { filter }),
      ...(offset !== null && { offset }),
    });
    yield* answer.points;
    offset = answer.next_page_offset ?? null;
  } while (offset !== null);
}
