import { statSync } from 'node:fs';
import { readWorkerStatus } from '../../compose/worker.ts';
import { errorText } from '../../domain/errors.ts';
import type { HttpDependencies, RequestContext } from '../context.ts';
import type { IndexProgress } from '../live-events.ts';

const EVERY_MS = 1000;
/** Number of newest sessions that are checked: sessions being written are among them. */
const LOOKED_AT = 50;

/**
 * Publishes changes to the store, whoever makes them: this process, a hook's worker or a command. Nothing is read while nobody is
 * listening.
 */
export function watchStore({
  parts,
  live,
  log,
}: Pick<HttpDependencies, 'parts' | 'live' | 'log'>): () => void {
  const seen = new Map<string, string>();
  let [written, progress, isFirst, isLooking] = ['', '', true, false];
  const look = async (open: RequestContext) => {
    const now = stampOf(open.parts.localFile.path);
    const isChanged = now !== written;
    written = now;
    if (isChanged) for (const session of await newest(open)) publishSession(session);
    isFirst = false;
    const next = await progressOf(open, isChanged);
    const text = JSON.stringify(next);
    if (text !== progress) live.publish({ event: 'index', data: next });
    progress = text;
  };
  const publishSession = (session: Awaited<ReturnType<typeof newest>>[number]) => {
    const { session_id, message_count, ended_at, content_hash } = session;
    const isNews = seen.get(session_id) !== content_hash && !isFirst;
    seen.set(session_id, content_hash);
    if (isNews) live.publish({ event: 'session', data: { session_id, message_count, ended_at } });
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    if (live.listeners === 0) {
      isFirst = true;
      written = '';
      return;
    }
    isLooking = true;
    parts
      .use(look)
      .catch((error: unknown) => log(`cannot look for changes: ${errorText(error)}`))
      .finally(() => {
        isLooking = false;
      });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

async function newest({ parts }: RequestContext) {
  return parts.storeExists() ? (await (await parts.local()).list({}, LOOKED_AT)).sessions : [];
}

let counted: Pick<IndexProgress, 'sessions' | 'waiting'> = {
  sessions: 0,
  waiting: { intents: 0, chunks: 0 },
};

async function progressOf({ parts }: RequestContext, isChanged: boolean): Promise<IndexProgress> {
  const { running, record, waiting } = readWorkerStatus(parts.config.home);
  const jobs = waiting + (running ? (record?.left ?? 0) : 0);
  if (isChanged && parts.localFile.exists()) {
    const { sessions, waiting: toEmbed } = await (await parts.local()).count();
    counted = { sessions, waiting: toEmbed };
  }
  return { state: running ? (record?.state ?? 'working') : 'ended', jobs, ...counted };
}

/** A stamp that changes with every write: SQLite writes its log first. */
function stampOf(path: string): string {
  return [path, `${path}-wal`]
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? '' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`))
    .join();
}
