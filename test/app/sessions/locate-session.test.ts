import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { locateSession } from '../../../src/app/sessions/locate-session.ts';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import type { ArchiveReader } from '../../../src/ports/session-archive.ts';
import { sessionPayload } from '../../support/transcripts/sample-sessions.ts';
import { sessionId, writeSession } from '../fork/claude-session.ts';
import { machineHere } from '../fork/machine.ts';

let folder: string;
let home: string;
let cwd: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-plan-'));
  home = join(folder, 'claude');
  cwd = join(folder, 'my project');
  mkdirSync(cwd);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function locate(record: Partial<SessionPayload>, archives: ArchiveReader[] = []) {
  const sources = [
    createClaudeSource({ homes: [home] }),
    createCodexSource({ homes: [join(folder, 'codex')] }),
  ];
  const session = sessionPayload({
    id: sessionId(1),
    record: { agent: 'claude', machine: 'here', ...record },
  });
  return locateSession({ sources, machine: machineHere(), archives }, session);
}

const asks = ['one'];

const ARCHIVE = {
  name: 'the server',
  mayHold: () => true,
  find: async () => null,
  async *read() {
    yield new Uint8Array();
  },
  findByPrefix: async () => [],
};

describe('locateSession', () => {
  it.each([
    ['claude', true, 'smart-fork fork'],
    ['codex', false, 'smart-fork retrieve'],
  ] as const)(
    'does not fork another machine’s half of a session by its id: %s',
    (agent, restorable, command) => {
      writeSession({ home, id: sessionId(1), cwd, asks });
      const sources = [
        createClaudeSource({ homes: [home] }),
        createCodexSource({ homes: [join(folder, 'codex')] }),
      ];
      const session = sessionPayload({ id: sessionId(1), record: { agent, machine: 'there' } });
      const deps = { sources, machine: machineHere(), archives: [ARCHIVE], localId: () => '' };
      expect(locateSession(deps, session)).toMatchObject({
        transcript: null,
        restorable,
        command: expect.stringContaining(`${command} ${session.session_id}`),
      });
    },
  );

  it('forks by id from the session’s own folder, where the agent finds it', () => {
    const path = writeSession({ home, id: sessionId(1), cwd, asks });
    const { command, resume, directory, first } = locate({ working_directory: cwd, jsonl_path: path });
    expect(command).toBe(`cd '${cwd}' && claude --resume ${sessionId(1)} --fork-session`);
    expect(resume).toBe(`cd '${cwd}' && claude --resume ${sessionId(1)}`);
    expect({ directory, first }).toEqual({ directory: cwd, first: null });
  });

  it('forks by path if the folder does not exist here', () => {
    const path = writeSession({ home, id: sessionId(1), cwd: '/gone', asks });
    expect(locate({ working_directory: '/gone', jsonl_path: path }).command).toBe(
      `claude --resume ${path} --fork-session`,
    );
  });

  it('forks by path if the file’s name is not a UUID, because the agent accepts no other id', () => {
    const path = writeSession({ home, id: sessionId(1), cwd, asks, name: 'a-backup' });
    const session = sessionPayload({
      id: 'a-backup',
      record: { agent: 'claude', machine: 'here', working_directory: cwd, jsonl_path: path },
    });
    const sources = [createClaudeSource({ homes: [home] })];
    expect(locateSession({ sources, machine: machineHere(), archives: [] }, session).command).toBe(
      `cd '${cwd}' && claude --resume ${path} --fork-session`,
    );
  });

  it('forks by path if the transcript is in another project’s folder or another home', () => {
    const elsewhere = writeSession({ home, id: sessionId(1), cwd, asks, slug: '-other' });
    expect(locate({ working_directory: cwd, jsonl_path: elsewhere }).command).toContain(elsewhere);
    const copy = writeSession({ home: join(folder, 'second'), id: sessionId(1), cwd, asks });
    expect(locate({ working_directory: cwd, jsonl_path: copy }).command).toContain(copy);
  });

  it('restores a deleted transcript for the folder in which the command then starts the agent', () => {
    const { command, resume } = locate({ working_directory: cwd }, [ARCHIVE]);
    const restore = `smart-fork restore ${sessionId(1)} --to '${cwd}' && cd '${cwd}'`;
    expect(command).toBe(`${restore} && claude --resume ${sessionId(1)} --fork-session`);
    expect(resume).toBe(`${restore} && claude --resume ${sessionId(1)}`);
  });

  it('prints the context of a session without a transcript', () => {
    const { command, canFork } = locate({ machine: 'there', jsonl_path: '/home/x/y.jsonl' });
    expect(command).toBe(`smart-fork retrieve ${sessionId(1)}`);
    expect(canFork).toBe(false);
  });
});
