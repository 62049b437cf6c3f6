import { topLevelFields } from '../transcript/top-level-fields.ts';

/**
 * A transcript's line under another session id; every other byte stays. An assistant's line gets the id of the session that
 * it was copied from, in the field and the place where Claude Code's own forks have it: so the copy names its parent.
 */
export function replaceIds(line: Buffer, ids: { sessionId: string; origin: string }): Buffer {
  const text = line.toString('latin1');
  const edits: { start: number; end: number; text: string }[] = [];
  for (const fields of topLevelFields(text)) {
    const id = fields.get('sessionId');
    if (id === undefined || text[id.start] !== '"') continue;
    const type = fields.get('type');
    const isAnswer = type !== undefined && text.slice(type.start, type.end) === '"assistant"';
    const marked = fields.has('requestSessionId') || fields.has('forkedFrom');
    const mark = isAnswer && !marked ? `,"requestSessionId":${JSON.stringify(ids.origin)}` : '';
    edits.push({ ...id, text: JSON.stringify(ids.sessionId) + mark });
  }
  if (edits.length === 0) return line;
  let edited = '';
  let at = 0;
  for (const edit of edits) {
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return Buffer.from(edited + text.slice(at), 'latin1');
}
