import { expect, it } from 'vitest';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';
import {
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

it('suggests a search that a shell reads as it is typed', async () => {
  const world = createWorld();
  writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
  await runCli(world, ['index', '--no-embed']);
  const { stderr } = await runCli(world, ['timeline', "don't $PANIC", '--repo', 'nowhere']);
  expect(stderr).toContain("smart-fork search 'don'\\''t' '$PANIC'");
});
