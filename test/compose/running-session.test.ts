import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliEnvironment, PROGRAM, runCli } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

it.skipIf(process.platform === 'win32')(
  'recognizes the running session behind a launcher after the conversation was cleared',
  async () => {
    const world = createWorld();
    const lines = [line.user('Turn the valve of the harbor'), line.assistant('It is turned.')];
    writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
    await runCli(world, ['index', '--no-embed']);
    // Claude Code reports which session a process has open; the variable still contains the cleared one.
    mkdirSync(join(world.claudeHome, 'sessions'));
    const entry = { pid: process.pid, sessionId: SESSION_ID, status: 'busy' };
    writeFileSync(join(world.claudeHome, 'sessions', `${process.pid}.json`), JSON.stringify(entry));
    const env = cliEnvironment(world, { CLAUDE_CODE_SESSION_ID: 'aaaaaaaa-1111-4222-8333-444444444444' });
    const command = `"${process.execPath}" "${PROGRAM}" search valve harbor --json; exit $?`;
    const behind = (launcher: string) =>
      JSON.parse(spawnSync('/bin/sh', ['-c', launcher], { env, cwd: world.folder, encoding: 'utf8' }).stdout);
    expect(behind(command).results).toEqual([]);
    expect(behind(`/bin/sh -c '${command}'; exit $?`).results).toEqual([]);
  },
);
