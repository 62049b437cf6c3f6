import { lexicalText } from '../../../domain/point/chunking.ts';
import { isMemory, type Point, type SessionPayload, type TextPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import {
  lexicalTokens,
  type PointStore,
  type SessionChange,
  type TextPointChange,
} from '../../../ports/point-store.ts';

interface BuildDependencies {
  local: PointStore;
  tokenizer: LexicalTokenizer;
}

type TextPoint = Point<TextPayload>;

/** Makes a session on the server equal to the one here. `there`: the server's points, id to content_hash. */
export async function buildWholeChange(
  deps: BuildDependencies,
  session: SessionPayload,
  remoteId: string,
  there: { contentHash: string | null; hashes: Map<string, string>; keep: boolean },
): Promise<SessionChange> {
  const ids = [...(await deps.local.getHashes(session.session_id)).keys()];
  const points = await readTexts(deps.local, ids);
  const texts = points.map((point) => textChange(under(point, remoteId), deps.tokenizer));
  // What is damaged here may be whole there.
  const present = new Set([...ids, ...texts.map(({ point }) => point.id)]);
  const changed = ({ point }: TextPointChange) =>
    !there.keep || there.hashes.get(point.id) !== point.payload.content_hash;
  return {
    session: sessionUnder(session, remoteId),
    upserts: texts.filter(changed),
    deletes: [...there.hashes.keys()].filter((id) => !present.has(id)),
    expected: there.contentHash,
    tokens: texts.map(({ point, tokens }) => (isMemory(point.payload) ? '' : (tokens ?? ''))).join(''),
  };
}

export interface Growth {
  points: string[];
  /** The session's content_hash on the server. */
  expected: string;
}

/**
 * Only these points, for a session that has the same id on the server, and the session's lexical vector if it is `complete`. The cost
 * of that vector grows with the session's length, so it waits until the session is idle; until then its chunks are found.
 */
export async function buildChange(
  deps: BuildDependencies,
  session: SessionPayload,
  { points, expected }: Growth,
  complete: boolean,
): Promise<SessionChange> {
  const { local, tokenizer } = deps;
  const upserts = (await readTexts(local, points)).map((point) => textChange(point, tokenizer));
  const streams = async () =>
    (await local.getChunks(session.session_id)).map((chunk) => tokenizer.stream(lexicalText(chunk)));
  const tokens = complete ? (await streams()).join('') : null;
  return { session: sessionUnder(session, session.session_id), upserts, deletes: [], expected, tokens };
}

/** Gives a point its id on the server. */
export function under<P extends TextPoint>(point: P, remoteId: string): P {
  const { payload } = point;
  if (payload.session_id === remoteId) return point;
  const id = pointId(remoteId, payload.type, payload.chunk_index);
  return { ...point, id, payload: { ...payload, session_id: remoteId } };
}

function sessionUnder(session: SessionPayload, remoteId: string): Point<SessionPayload> {
  return { id: pointId(remoteId, 'session'), payload: { ...session, session_id: remoteId } };
}

/** One type after the other, each in order. */
async function readTexts(local: PointStore, ids: string[]): Promise<TextPoint[]> {
  const points = await local.getPoints(ids);
  return points.sort(
    (a, b) =>
      (a.payload.type < b.payload.type ? 1 : a.payload.type > b.payload.type ? -1 : 0) ||
      a.payload.chunk_index - b.payload.chunk_index,
  );
}

function textChange(point: TextPoint, tokenizer: LexicalTokenizer): TextPointChange {
  return { point, tokens: lexicalTokens(point.payload, tokenizer) };
}
