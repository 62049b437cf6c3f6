import type { SessionPayload } from '../point/point.ts';
import type { SessionRecord } from '../session/session.ts';
import { type Marks, readMarks } from '../tags/marks.ts';

/** A session's record as printed: marks separate from tags. */
export function shownRecord(session: SessionPayload): SessionRecord & Marks {
  const { type: _, archived: __, ...record } = session;
  return { ...record, ...readMarks(record.tags) };
}
