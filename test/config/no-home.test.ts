import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROGRAM } from '../support/machines/cli.ts';

const canSwitchUser = process.getuid?.() === 0 && existsSync('/usr/bin/setpriv');

it.skipIf(!canSwitchUser)('reports a missing HOME to a user without a passwd entry', () => {
  const user = ['--reuid', '54321', '--clear-groups'];
  const { status, stderr } = spawnSync('setpriv', [...user, process.execPath, PROGRAM, 'status'], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('cannot find your home folder: HOME is not set');
  expect(stderr).toContain('hint: Set HOME');
});
