import { describe, expect, it } from 'vitest';
import { writeSession } from '../../app/fork/claude-session.ts';
import { runCli } from '../../support/machines/cli.ts';
import { sharedWorld } from '../../support/machines/shared-world.ts';

const FIRST = '8402b1ed-2222-4222-8222-222222222222';
const SECOND = '8402b1ed-2292-4222-8222-222222222222';

const world = sharedWorld(async (world) => {
  const home = world.claudeHome;
  writeSession({ home, id: FIRST, cwd: '/home/dev/engine', asks: ['oil the valve of the engine'] });
  writeSession({ home, id: SECOND, cwd: '/home/dev/engine', asks: ['paint the engine'] });
  await runCli(world, ['index', '--no-embed']);
});

describe('ids in command output', () => {
  it.each([
    [['star', FIRST], '8402b1ed-222 oil the valve of the engine: starred'],
    [['lost', FIRST], '8402b1ed-222 was never compacted'],
    [['show', FIRST, '--query', 'valve'], 'smart-fork show 8402b1ed-222 --turn'],
    [['compare', FIRST, SECOND], '8402b1ed-222'],
    [['compare', FIRST, SECOND], '8402b1ed-229'],
  ])('prints ids that distinguish a session from all others in the index: %j', async (words, shown) => {
    expect((await runCli(world(), words)).stdout).toMatch(new RegExp(`${shown}(?!\\w)`));
  });
});
