import { join } from 'node:path';
import { pointId } from '../../src/domain/point-id.ts';
import type { BenchContext, Row } from './bench.ts';
import { indexWords, openLibrary } from './library.ts';
import { appendTurn, writeLongTranscript } from './long-transcript.ts';
import type { BenchServer } from './qdrant-server.ts';
import { type Watched, watchRequests } from './watch-requests.ts';

const TURNS = 5;
const MEGABYTES = 10;
const SESSION = '00000000-0000-4000-8000-000000000010';

/**
 * One more turn of a long session, sent as the worker does: what is asked of the server, and which points are sent. Then its
 * transcript, which goes once for all turns until the session is quiet.
 */
export async function measureAppend(context: BenchContext, server: BenchServer): Promise<Row[]> {
  const { claudeHome, scratch } = context;
  const claude = join(scratch, 'append-claude');
  const path = join(claude, 'projects', '-home-sam-code-app', `${SESSION}.jsonl`);
  writeLongTranscript(path, SESSION, MEGABYTES, claudeHome ?? '');
  const agents = { claude: [claude, claudeHome ?? ''], server };
  const parts = await openLibrary(join(scratch, 'append-home'), agents);
  await indexWords(parts);
  await parts.share({ now: true });
  const local = await parts.embedded();
  const turns: (Watched & { changed: number })[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await local.getHashes(SESSION);
    appendTurn(path, SESSION, turn);
    await indexWords(parts);
    const after = await local.getHashes(SESSION);
    const changed = [...after].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id);
    const wanted = new Set([pointId(SESSION, 'session'), ...changed]);
    const watched = await watchRequests(() => parts.share());
    if (watched.points.length === 0) throw new Error('the turn was not sent');
    turns.push({ ...watched, changed: wanted.size });
  }
  const transcript = await watchRequests(() => parts.share({ transcripts: true }));
  if (transcript.points.length === 0) throw new Error('the transcript was not sent');
  await parts.close();
  const worst = turns.reduce((one, other) => (other.requests > one.requests ? other : one));
  const most = turns.reduce((one, other) =>
    other.points.length / other.changed > one.points.length / one.changed ? other : one,
  );
  return [
    {
      what: `send one more turn of ${MEGABYTES} MB to ${server.name}`,
      measured: { value: worst.requests, unit: 'requests' },
      floor: null,
      target: { of: 'measured', most: 3 },
    },
    {
      what: '… points that are sent',
      measured: { value: most.points.length, unit: 'points' },
      floor: { value: most.changed, unit: 'points', label: 'changed' },
      target: { of: 'ratio', most: 1 },
    },
    {
      what: `… its transcript, once for the ${TURNS} turns until it is quiet`,
      measured: { value: transcript.requests, unit: 'requests' },
      floor: null,
      target: null,
    },
  ];
}
