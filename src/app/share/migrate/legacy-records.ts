import type { SessionPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import type { StoredPoint } from '../../../domain/search/search.ts';
import { chunkPoint, intentPoint } from '../../../domain/session/record.ts';
import type { LegacyCollection, LegacyPoint } from '../../../ports/legacy-collection.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import { identityOf, type LegacySession, recordOf } from './legacy-sessions.ts';

interface ReadDependencies {
  collection: LegacyCollection;
  redactor: Redactor;
}

/** Records of sessions in the same order, their titles redacted. */
export async function sessionRecords(
  { collection, redactor }: ReadDependencies,
  sessions: LegacySession[],
): Promise<SessionPayload[]> {
  const untitled = sessions.filter(({ prompt, intents }) => prompt === null && intents > 0);
  const first = untitled.map(({ session_id }) => pointId(session_id, 'intent'));
  const found = first.length === 0 ? [] : await collection.get(first);
  const prompts = new Map(found.map(({ session_id, text }) => [session_id, text]));
  const given = sessions.map(({ session_id, prompt }) => prompt ?? prompts.get(session_id) ?? '');
  const redacted = await redactor.redact(given.map((text) => ({ text })));
  return sessions.map((session, at) => {
    const { chunks, intents } = session;
    return recordOf(session, { prompt: redacted[at]?.text ?? null, chunks, intents }).payload;
  });
}

/** Points with their texts, redacted. A piece is a passage of its own: it ends a line. */
export async function textPoints(
  { redactor }: Pick<ReadDependencies, 'redactor'>,
  points: LegacyPoint[],
  sessions: LegacySession[],
  turns: Map<string, number>,
): Promise<StoredPoint[]> {
  const redacted = await redactor.redact(points.map(({ text }) => ({ text: text ?? '' })));
  const known = new Map(sessions.map((session) => [session.session_id, session]));
  return points.flatMap((point, at): StoredPoint[] => {
    const session = known.get(point.session_id);
    if (session === undefined) return [];
    const text = redacted[at]?.text ?? '';
    const times = { timestamp: session.timestamp, ended_at: session.timestamp };
    const { id, chunk_index: index } = point;
    const identity = identityOf(session);
    const content = text.endsWith('\n') ? text : `${text}\n`;
    const { payload } =
      point.type === 'intent'
        ? intentPoint(identity, { index, text, ...times })
        : chunkPoint(identity, { index, content, overlap: 0, turn: turns.get(id) ?? 0, ...times });
    return [{ id, payload, hasVector: true }];
  });
}
