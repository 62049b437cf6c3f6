import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld, indexWorld, openWorld, searchWorld } from '../../support/machines/world.ts';
import { line, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const NOW = '2026-08-01T00:00:00.000Z';
const PARTS = {
  login: 'Rotate the refresh token of the login',
  invoice: 'Render the invoice as a printable document',
  crane: 'Calibrate the harbour crane',
};

describe('sessions that answer a query together', () => {
  it('names sessions that answer together by rank, with their share of the query and the command that prints their context', async () => {
    const { world, parts } = await withSessions(PARTS);
    const query = 'rotate refresh token login, render printable invoice document';
    const { results, together } = await searchWorld(parts, query, NOW);
    expect(together?.session_ids.toSorted()).toEqual(['invoice', 'login']);
    expect(together).toMatchObject({
      coverage: 1,
      text: expect.stringMatching(/^Results 1 and 2 together cover 100%/),
    });
    expect(together?.alone).toBeLessThan(0.75);
    expect(
      results
        .slice(0, 2)
        .map(({ session_id }) => session_id)
        .toSorted(),
    ).toEqual(['invoice', 'login']);
    const { stdout } = await runCli(world, ['search', query]);
    expect(stdout).toContain('Results 1 and 2 together cover 100% of the query');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/smart-fork retrieve (login invoice|invoice login)/);
  });

  it('names at most three sessions that together cover the query, each adding something', async () => {
    const { parts } = await withSessions({ ...PARTS, copy: PARTS.login });
    const query = 'rotate refresh token login, render printable invoice document, calibrate harbour crane';
    const { together } = await searchWorld(parts, query, NOW);
    expect(together?.session_ids).toHaveLength(3);
    expect(together?.session_ids).toEqual(expect.arrayContaining(['invoice', 'crane']));
  });

  it('names no sessions together if one covers the query, if words occur nowhere, or for a short query', async () => {
    const { parts } = await withSessions({ ...PARTS, all: `${PARTS.login}. ${PARTS.invoice}` });
    for (const query of [
      'rotate refresh token login, render printable invoice document',
      'rotate the token, calibrate the zanzibar, timbuktu and samarkand crane',
      'login crane',
    ])
      expect(await searchWorld(parts, query, NOW)).toMatchObject({ together: undefined });
  });
});

async function withSessions(prompts: Record<string, string>) {
  const world = createWorld();
  for (const [id, prompt] of Object.entries(prompts)) {
    const lines = [line.user(prompt), line.assistant('Done.')];
    writeClaude(world.claudeHome, id, stampLines(lines, { sessionId: id, cwd: `/home/dev/${id}` }));
  }
  const parts = await openWorld(world);
  await indexWorld(parts);
  return { world, parts };
}
