import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';
import { line, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const ID = 'aaaa1111-0000-4000-8000-000000000001';

it('names the sessions with secrets that are indexed, and creates no index', async () => {
  const world = createWorld();
  const token = ['gh', 'p_', 'Zk3fQ8vTn1Lw6YbXc0RmHd5sJgPu2AeKiOt7'].join('');
  const lines = [line.user(`Rotate ${token} at the bank`), line.assistant('It is rotated.')];
  writeClaude(world.claudeHome, ID, stampLines(lines, { sessionId: ID }));
  expect((await runCli(world, ['scan'])).stdout).toMatch(/^aaaa1111 +1 +github/m);
  expect(existsSync(join(world.home, 'index.db'))).toBe(false);
  await runCli(world, ['index', '--no-embed']);
  expect((await runCli(world, ['scan'])).stdout).toMatch(/^aaaa1111 Rotate .* at the bank +1 +github/m);
});
