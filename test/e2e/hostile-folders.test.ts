import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canEnter } from '../../src/adapters/files/look-at-path.ts';
import { createRepositoryProbe } from '../../src/adapters/git/probe-repository.ts';
import { createDriftReader } from '../../src/adapters/git/read-drift.ts';
import { tempFolder } from '../support/files/temp-folder.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createWorld as createMcpWorld } from '../support/machines/mcp-world.ts';
import { createWorld } from '../support/machines/world.ts';
import { jsonl, line, stampLines, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

describe('working folders named in a transcript', () => {
  it.skipIf(process.platform === 'win32')(
    'survives any working folder in index, search, show and list, and still finds other sessions',
    async () => {
      const world = createWorld();
      const folders = oddFolders(world.folder);
      for (const [name, cwd] of Object.entries(folders)) {
        const lines = [line.user(`improve the ${name}`), line.assistant('Done.')];
        writeClaude(world.claudeHome, uuidOf(name), stampLines(lines, { sessionId: uuidOf(name), cwd }));
      }
      const indexed = await runCli(world, ['index', '--no-embed']);
      expect(indexed).toMatchObject({ status: 0 });
      const { sessions } = await runJson(world, ['sessions', '--limit', '100']);
      expect(sessions).toHaveLength(Object.keys(folders).length);
      for (const [name, cwd] of Object.entries(folders)) {
        const { results } = await runJson(world, ['search', `improve the ${name}`, '--limit', '3']);
        expect(results, cwd).toMatchObject([{ session_id: expect.any(String) }, {}, {}]);
        expect(await runCli(world, ['show', uuidOf(name)]), cwd).toMatchObject({ status: 0 });
        expect(await runCli(world, ['fork', uuidOf(name), '--check']), cwd).toMatchObject({ stderr: '' });
      }
    },
  );

  it('serves MCP despite a session whose folder contains a NUL', async () => {
    const world = createMcpWorld({ samples: false });
    const lines = stampLines([line.user('improve the turbine'), line.assistant('Done.')], {
      cwd: '/srv/a\0b',
    });
    world.transcript(uuidOf('nul'), jsonl(lines).trimEnd().split('\n'));
    await world.run('index', '--no-embed');
    const connection = await world.connect();
    for (const [tool, args] of [
      ['fork_detect', { intent: 'turbine' }],
      ['list_sessions', {}],
      ['get_session', { session_id: uuidOf('nul') }],
    ] as const)
      expect(await connection.call(tool, args), tool).toMatchObject({ isError: false });
    await connection.close();
    world.remove();
  });

  it.skipIf(process.getuid?.() !== 0)('finds no repository in a folder that it may not enter', async () => {
    const closed = tempFolder('closed');
    const inner = join(closed, 'inner');
    mkdirSync(join(inner, '.git'), { recursive: true });
    chmodSync(closed, 0o700);
    // Root can enter every folder.
    process.seteuid?.(65534);
    try {
      expect(createRepositoryProbe()(inner)).toBeNull();
      expect(createRepositoryProbe()(closed)).toBeNull();
      expect(canEnter(inner)).toBe(false);
    } finally {
      process.seteuid?.(0);
    }
    const request = { directory: inner, commit: null, time: null, branch: null, files: [] };
    expect(
      await createDriftReader({ program: 'git', env: process.env })({
        ...request,
        directory: join(closed, '\0'),
      }),
    ).toBeNull();
  });
});

/** Working folders of sessions, by name. */
function oddFolders(parent: string): Record<string, string> {
  const at = (name: string) => join(parent, 'odd', name);
  const repository = (name: string) => {
    mkdirSync(at(name), { recursive: true });
    return at(name);
  };
  const file = join(repository('files'), 'file');
  writeFileSync(file, 'x');
  symlinkSync('loop', join(repository('links'), 'loop'));
  execFileSync('mkfifo', [join(repository('piped'), '.git')]);
  symlinkSync('/dev/zero', join(repository('endless'), '.git'));
  mkdirSync(join(repository('configured'), '.git'));
  execFileSync('mkfifo', [join(at('configured'), '.git', 'config')]);
  mkdirSync(join(repository('common'), '.git'));
  symlinkSync('/dev/zero', join(at('common'), '.git', 'commondir'));
  return {
    turbine: parent,
    file,
    'file-below': join(file, 'below', 'it'),
    nul: '/srv/a\0b',
    loop: join(at('links'), 'loop', 'x'),
    long: `/srv/${'x'.repeat(5000)}`,
    piped: at('piped'),
    endless: at('endless'),
    configured: at('configured'),
    common: at('common'),
    device: '/dev/null',
  };
}
