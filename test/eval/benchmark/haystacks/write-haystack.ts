import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuid5 } from '../../../../src/domain/point/point-id.ts';
import type { Haystack, HaystackSession } from './haystack.ts';

/**
 * Writes the sessions of a haystack as transcripts of Claude Code into a home of it. Ids are made of the names: in LongMemEval, the names
 * of sessions with evidence begin with `answer`.
 */
export function writeHaystack(home: string, { name, sessions }: Haystack): void {
  const folder = join(home, 'projects', '-haystack');
  mkdirSync(folder, { recursive: true });
  for (const session of sessions) {
    const id = transcriptId(name, session.id);
    writeFileSync(join(folder, `${id}.jsonl`), linesOf(id, session).join(''));
  }
}

/** The id of a session's transcript. */
export function transcriptId(haystack: string, session: string): string {
  return uuid5(`${haystack}/${session}`);
}

function linesOf(sessionId: string, { time, turns }: HaystackSession): string[] {
  return turns.map(({ role, text }, index) => {
    const timestamp = time === null ? undefined : new Date(time + index * 1000).toISOString();
    const uuid = uuid5(`${sessionId}/${index}`);
    const content = role === 'user' ? text : [{ type: 'text', text }];
    const line = { type: role, sessionId, uuid, timestamp, cwd: '/haystack', message: { role, content } };
    return `${JSON.stringify(line)}\n`;
  });
}
