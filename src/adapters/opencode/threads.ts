import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { AgentThreads } from '../../ports/transcript-source.ts';
import { asId, asRecord } from '../jsonl/read-value.ts';
import { exportedSession } from './exported-session.ts';
import { databaseOf, isStored, placeOf } from './find-sessions.ts';
import { lastModel } from './last-model.ts';
import { loadSession } from './load-session.ts';
import { type OpencodeProgram, runOpencode, unusable, withServer } from './run-program.ts';
import { importOf } from './session-lines.ts';

/**
 * Creates sessions with OpenCode's own program: its server forks at a message, and it imports what it exports. Only sessions that were
 * created here, under new ids, are deleted.
 * @param alone runs work that no other process of smart-fork runs at the same time
 */
export function createOpencodeThreads(
  opencode: OpencodeProgram,
  homes: string[],
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): AgentThreads {
  const database = databaseOf(homes[0] ?? '');
  const inHome = (path: string) => ({
    ...opencode,
    env: { ...opencode.env, XDG_DATA_HOME: dirname(dirname(path)) },
  });
  const remove = (path: string, sessionId: string) => async () => {
    try {
      await runOpencode(inHome(path), ['session', 'delete', sessionId]);
    } catch {
      // It stays, and is seen in OpenCode. What led here is reported instead.
    }
  };
  return {
    restores: {
      holds(path) {
        const place = placeOf(path);
        return place !== null && isStored(place);
      },
      restore: (copy, path, workingDirectory) =>
        alone(() => restoreCopy(inHome(path), copy, path, workingDirectory)),
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
      try {
        await importSession(inHome(database), session, workingDirectory);
      } catch (error) {
        // It may fail after it wrote the first messages.
        await remove(database, id)();
        throw error;
      }
      return { sessionId: id, path: `${database}#${id}`, remove: remove(database, id) };
    },
  };
}

/** A failed import may have written nothing, a part, or all, and another program may write the session meanwhile: nothing is deleted. */
async function restoreCopy(
  opencode: OpencodeProgram,
  copy: string,
  path: string,
  cwd: string,
): Promise<void> {
  const place = placeOf(path);
  const session = importOf(copy);
  if (place === null || session?.info.id !== place.sessionId)
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot restore ${path}: the archived copy is damaged`);
  const { sessionId } = place;
  if (isStored(place))
    throw new SmartForkError(
      'TRANSCRIPT_UNREADABLE',
      `OpenCode has session ${sessionId} by now; it was not changed`,
      {
        hint: `Another program has just written it. Continue with it: opencode -s ${sessionId}`,
      },
    );
  try {
    await importSession(opencode, session, cwd);
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code === 'AGENT_MISSING') throw error;
    throw new SmartForkError(error.code, `cannot restore ${sessionId}: ${error.message}`, {
      hint: `OpenCode may have a part of the session now, which smart-fork does not delete: see opencode -s ${sessionId}. ${error.hint}`,
      cause: error,
    });
  }
}

async function importSession(
  opencode: OpencodeProgram,
  session: { info: { id?: unknown } },
  cwd: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-import-'));
  try {
    const file = join(folder, 'session.json');
    writeFileSync(file, JSON.stringify(session), { mode: 0o600 });
    const said = await runOpencode(opencode, ['import', file], cwd);
    if (!said.includes(String(session.info.id)))
      throw unusable(`its import said: ${said.trim().slice(0, 200)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refused(reason: string): SmartForkError {
  return new SmartForkError('USAGE', `opencode cannot make this fork: ${reason}`, {
    hint: 'Update OpenCode (npm install -g opencode-ai@latest), or fork the whole session: leave out --at.',
  });
}
