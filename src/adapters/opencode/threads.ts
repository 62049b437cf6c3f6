import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { AgentThreads } from '../../ports/transcript-source.ts';
import { asId, asRecord } from '../jsonl/read-value.ts';
import { exportedSession } from './exported-session.ts';
import { databaseOf, placeOf } from './find-sessions.ts';
import { lastModel } from './last-model.ts';
import { loadSession } from './load-session.ts';
import { type OpencodeProgram, runOpencode, withServer } from './run-program.ts';
import { importOf } from './session-lines.ts';

/** Creates sessions with OpenCode's own program: its server forks at a message, and it imports what it exports. */
export function createOpencodeThreads(opencode: OpencodeProgram, homes: string[]): AgentThreads {
  const database = databaseOf(homes[0] ?? '');
  const inHome = (path: string) => ({
    ...opencode,
    env: { ...opencode.env, XDG_DATA_HOME: dirname(dirname(path)) },
  });
  const remove = (path: string, sessionId: string) => () => {
    try {
      runOpencode(inHome(path), ['session', 'delete', sessionId]);
    } catch {
      // It stays, and is seen in OpenCode. What led here is reported instead.
    }
  };
  return {
    restores: {
      restore(copy, path, workingDirectory) {
        const session = importOf(copy);
        if (session === null) throw refused('the archived copy is damaged');
        importSession(inHome(path), session, workingDirectory, remove(path, placeOf(path)?.sessionId ?? ''));
      },
      remove: (path) => remove(path, placeOf(path)?.sessionId ?? '')(),
    },
    async forkAt({ transcript, end, turn, workingDirectory }) {
      const { sessionId } = transcript;
      const row = loadSession(transcript.path).rows[end];
      const next = asId(row?.id);
      // Without an id its server forks the whole session.
      if (row !== undefined && next === null) throw refused('the message after the turn has no readable id');
      const own = placeOf(transcript.path)?.database ?? database;
      const made = await withServer(inHome(own), workingDirectory, (post) =>
        post(`/session/${sessionId}/fork`, next === null ? {} : { messageID: next }),
      );
      const id = asId(asRecord(made)?.id);
      if (id === null) throw refused('its server made no session');
      return { sessionId: id, path: `${own}#${id}`, turn, remove: remove(own, id) };
    },
    async create({ conversation, workingDirectory }) {
      const session = exportedSession(conversation, workingDirectory, lastModel(database));
      const { id } = session.info;
      importSession(inHome(database), session, workingDirectory, remove(database, id));
      return { sessionId: id, path: `${database}#${id}`, remove: remove(database, id) };
    },
  };
}

/** It may fail after it wrote the first messages: `remove` deletes those. */
function importSession(
  opencode: OpencodeProgram,
  session: { info: { id?: unknown } },
  cwd: string,
  remove: () => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-import-'));
  try {
    const file = join(folder, 'session.json');
    writeFileSync(file, JSON.stringify(session), { mode: 0o600 });
    const said = runOpencode(opencode, ['import', file], cwd);
    if (!said.includes(String(session.info.id)))
      throw refused(`its import said: ${said.trim().slice(0, 200)}`);
  } catch (error) {
    remove();
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refused(reason: string): SmartForkError {
  return new SmartForkError('USAGE', `opencode cannot make this fork: ${reason}`, {
    hint: 'Update OpenCode (npm install -g opencode-ai@latest), or fork the whole session: leave out --at.',
  });
}
