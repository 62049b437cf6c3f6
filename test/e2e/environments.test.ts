import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Parts } from '../../src/compose/parts.ts';
import { runningSessions } from '../../src/compose/sessions/running-sessions.ts';
import { environmentForAgents, environmentForTools, OWN_SECRETS } from '../../src/config/environment.ts';
import { settingRows } from '../../src/config/settings.ts';
import { tempFolder } from '../support/files/temp-folder.ts';
import { runCli } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { jsonl, line, stampLines, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const secrets = Object.fromEntries(OWN_SECRETS.map((name) => [name, `value of ${name}`]));

it('knows every variable that holds a secret of its own', () => {
  const ofSettings = Object.values(settingRows).flatMap((row) =>
    'masked' in row && 'variable' in row ? [row.variable] : [],
  );
  expect(OWN_SECRETS.toSorted()).toEqual([...ofSettings, 'SMART_FORK_PASSPHRASE'].toSorted());
});

it('hands programs none of its own secrets, and agents those that its server needs', () => {
  expect(environmentForTools({ HOME: '/h', PATH: '/bin', ...secrets })).toEqual({ HOME: '/h', PATH: '/bin' });
  expect(Object.keys(environmentForAgents({ HOME: '/h', ...secrets })).toSorted()).toEqual([
    'HOME',
    'QDRANT_API_KEY',
    'QDRANT_URL',
    'SMART_FORK_MEMORY_API_KEY',
  ]);
});

it.skipIf(process.platform === 'win32')(
  'starts git and asks an agent for its version without them',
  async () => {
    const world = createWorld();
    const [bin, seen, work] = ['bin', 'seen', 'work'].map((name) => join(world.folder, name));
    mkdirSync(bin ?? '');
    mkdirSync(join(work ?? '', '.git'), { recursive: true });
    for (const name of ['git', 'claude']) {
      const path = join(bin ?? '', name);
      writeFileSync(path, `#!/bin/sh\n{ echo "ran ${name}"; env; } >> '${seen}'\necho 2.1.197\n`);
      chmodSync(path, 0o755);
    }
    const id = uuidOf('kept');
    const folder = join(world.claudeHome, 'projects/p');
    mkdirSync(folder, { recursive: true });
    const lines = stampLines([line.user('tune the carburettor'), line.assistant('Done.')]);
    writeFileSync(
      join(folder, `${id}.jsonl`),
      jsonl(lines.map((one) => ({ ...one, cwd: work, gitBranch: 'main' }))),
    );
    await runCli(world, ['index', '--no-embed']);
    const { SMART_FORK_PASSPHRASE, SMART_FORK_MEMORY_API_KEY } = secrets;
    const env = {
      PATH: [bin, process.env.PATH].join(delimiter),
      SMART_FORK_PASSPHRASE,
      SMART_FORK_MEMORY_API_KEY,
    };
    await runCli(world, ['fork', id, '--check'], { env });
    const told = readFileSync(seen ?? '', 'utf8');
    expect(told).toContain('ran git');
    expect(told).toContain('ran claude');
    expect(told).not.toContain('value of');
  },
);

it.skipIf(process.platform === 'win32')('asks ps for a parent without them', () => {
  const bin = tempFolder('ps');
  const seen = join(bin, 'seen');
  writeFileSync(join(bin, 'ps'), `#!/bin/sh\n{ echo "ran ps"; env; } > '${seen}'\necho 1\n`, { mode: 0o755 });
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  vi.stubEnv('PATH', [bin, process.env.PATH].join(delimiter));
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const config = { agentProcess: 2 ** 30, currentSessionId: 'current' } as Parts['config'];
  expect(runningSessions({ config, sources: [] })).toEqual(['current']);
  const told = readFileSync(seen, 'utf8');
  expect(told).toContain('ran ps');
  expect(told).not.toContain('value of');
});
