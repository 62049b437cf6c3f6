import { join } from 'node:path';
import type { DrainOptions } from '../../../src/app/share/send/drain-outbox.ts';
import { sendChanges } from '../../../src/compose/parts.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { BenchContext, Row } from '../bench.ts';
import { appendTurn, writeLongTranscript } from '../data/long-transcript.ts';
import { indexWords, openLibrary } from '../library.ts';
import type { BenchServer } from './qdrant-server.ts';
import { type Watched, watchRequests } from './watch-requests.ts';

const TURNS = 5;
const MEGABYTES = 10;
const SESSION = '00000000-0000-4000-8000-000000000010';

/**
 * Sends one more turn of a long session: with its transcript, like `smart-fork index`; then only texts, like the worker after every
 * answer, with the transcript once at the end. Reports requests and points.
 */
export async function measureAppend(context: BenchContext, server: BenchServer): Promise<Row[]> {
  const { claudeHome, scratch } = context;
  const claude = join(scratch, 'append-claude');
  const path = join(claude, 'projects', '-home-sam-code-app', `${SESSION}.jsonl`);
  writeLongTranscript(path, SESSION, MEGABYTES, claudeHome ?? '');
  const agents = { claude: [claude, claudeHome ?? ''], server };
  const parts = await openLibrary(join(scratch, 'append-home'), agents);
  await indexWords(parts);
  await sendChanges(parts, { now: true });
  const local = await parts.localFile.open();
  let written = 0;
  const turn = async (options: DrainOptions): Promise<Turn> => {
    const before = await local.getHashes(SESSION);
    appendTurn(path, SESSION, written++);
    await indexWords(parts);
    const after = await local.getHashes(SESSION);
    const changed = [...after].filter(([id, hash]) => before.get(id) !== hash).map(([id]) => id);
    const wanted = new Set([pointId(SESSION, 'session'), ...changed]);
    const watched = await watchRequests(() => sendChanges(parts, options));
    if (watched.points.length === 0) throw new Error('the turn was not sent');
    return { ...watched, changed: wanted.size };
  };
  const [whole, texts]: Turn[][] = [[], []];
  for (let at = 0; at < TURNS; at += 1) whole?.push(await turn({ transcripts: true }));
  for (let at = 0; at < TURNS; at += 1) texts?.push(await turn({}));
  const transcript = await watchRequests(() => sendChanges(parts, { transcripts: true }));
  if (transcript.points.length === 0) throw new Error('the transcript was not sent');
  await parts.close();
  return [
    ...rowsOf(
      `send one more turn of ${MEGABYTES} MB, texts and transcript, to ${server.name}`,
      whole ?? [],
      1,
    ),
    ...rowsOf('send its texts alone', texts ?? [], 0),
    ...requestRows(`send the transcript for ${TURNS} turns`, transcript),
  ];
}

type Turn = Watched & { changed: number };

/**
 * The worst of several turns.
 * @param parts of a transcript that are sent with it
 */
function rowsOf(what: string, turns: Turn[], parts: number): Row[] {
  const worst = turns.toSorted((one, other) => other.requests - one.requests || other.bytes - one.bytes)[0];
  const most = turns.toSorted(
    (one, other) => other.points.length / other.changed - one.points.length / one.changed,
  )[0];
  if (worst === undefined || most === undefined) return [];
  return [
    ...requestRows(what, worst),
    {
      what: '… points that are sent',
      measured: { value: most.points.length, unit: 'points' },
      floor: { value: most.changed + parts, unit: 'points', label: 'changed' },
      target: { of: 'ratio', most: 1 },
    },
  ];
}

function requestRows(what: string, { requests, bytes }: Watched): Row[] {
  return [
    {
      what,
      measured: { value: requests, unit: 'requests' },
      floor: null,
      target: { of: 'measured', most: 3 },
    },
    { what: '… bytes', measured: { value: bytes / 1000, unit: 'kB' }, floor: null, target: null },
  ];
}
