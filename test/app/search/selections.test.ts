import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteForkJournal } from '../../../src/adapters/sqlite/state/sqlite-fork-journal.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld, indexWorld, openWorld, searchWorld, type World } from '../../support/machines/world.ts';
import { chooseSession } from '../../support/stores/choose-session.ts';
import { line, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const NOW = '2026-08-01T00:00:00.000Z';
const QUERY = 'make the websocket reconnect';

describe('sessions that were forked after searches', () => {
  it('puts a forked session first among nearly equal results of a similar search, explained but no more certain', async () => {
    const { parts, world } = await withSessions();
    const without = await searchWorld(parts, QUERY, NOW);
    expect(idsOf(without)).toEqual(['api', 'shop', 'far']);
    expect(without.results[0]?.scores.parts).not.toHaveProperty('chosen_before');
    chooseSession(world.home, { sessionId: 'shop', query: 'websocket must reconnect' });
    const after = await searchWorld(parts, QUERY, NOW);
    expect(idsOf(after)).toEqual(['shop', 'api', 'far']);
    expect(after.results[0]?.scores.parts.chosen_before).toBeGreaterThan(0.5);
    expect(after.results[1]?.scores.parts.chosen_before).toBe(0);
    expect(certainties(after)).toEqual(certainties(without));
  });

  it('does not raise a forked session for other words, above clearly better results, or before it was forked', async () => {
    const { parts, world } = await withSessions();
    chooseSession(world.home, { sessionId: 'shop', query: 'draw the green charts' });
    chooseSession(world.home, { sessionId: 'far', query: QUERY });
    expect(idsOf(await searchWorld(parts, QUERY, NOW))).toEqual(['api', 'shop', 'far']);
    chooseSession(world.home, { sessionId: 'shop', query: QUERY });
    const before = { query: QUERY, filter: { asOf: '2026-07-20T00:00:00.000Z' } };
    expect(idsOf(await searchWorld(parts, before, NOW))).toEqual(['api', 'shop', 'far']);
    expect(idsOf(await searchWorld(parts, QUERY, NOW))).toEqual(['shop', 'api', 'far']);
  });

  it('does not raise a forked session if search.learn_from_forks is off', async () => {
    const { world } = await withSessions();
    chooseSession(world.home, { sessionId: 'shop', query: QUERY });
    writeFileSync(join(world.home, 'config.json'), '{"search": {"learn_from_forks": false}}');
    const parts = await openWorld(world);
    expect(idsOf(await searchWorld(parts, QUERY, NOW))).toEqual(['api', 'shop', 'far']);
  });

  it('forgets what searches learned with forget --searches, which keeps the forks, and with the session', async () => {
    const { parts, world } = await withSessions();
    chooseSession(world.home, { sessionId: 'shop', query: 'websocket reconnect zanzibar' });
    chooseSession(world.home, { sessionId: 'api', query: 'websocket reconnect timbuktu' });
    expect((await runCli(world, ['forget', 'api', '--searches'])).stderr).toContain('cannot be combined');
    expect((await runCli(world, ['forget', 'api', '--yes'])).stdout).toContain('Forgot 1 session');
    expect(stateText(world)).not.toContain('timbuktu');
    expect(stateText(world)).toContain('zanzibar');
    expect((await runCli(world, ['forget', '--searches'])).stdout).toBe('Forgot 1 search.\n');
    expect(stateText(world)).not.toContain('zanzibar');
    expect((await searchWorld(parts, QUERY, NOW)).results[0]?.scores.parts).not.toHaveProperty(
      'chosen_before',
    );
    const journal = openSqliteForkJournal(join(world.home, 'state.db'));
    expect(journal.list(10)).toMatchObject([
      { sessionId: 'api', query: null, rank: null },
      { sessionId: 'shop', query: null, rank: null },
    ]);
    journal.close();
  });
});

type Response = Awaited<ReturnType<typeof searchWorld>>;

function idsOf({ results }: Response): string[] {
  return results.map(({ session_id }) => session_id);
}

function certainties({ results }: Response): Record<string, number | null> {
  return Object.fromEntries(results.map(({ session_id, certainty }) => [session_id, certainty]));
}

function stateText({ home }: World): string {
  return ['state.db', 'state.db-wal']
    .map((name) => {
      try {
        return readFileSync(join(home, name), 'latin1');
      } catch {
        return '';
      }
    })
    .join('');
}

/** Two sessions that match almost equally, the first slightly better, and one that hardly matches. */
async function withSessions(): Promise<{ world: World; parts: Parts }> {
  const world = createWorld();
  const add = (id: string, prompt: string) =>
    writeClaude(
      world.claudeHome,
      id,
      stampLines([line.user(prompt), line.assistant('Done.')], { sessionId: id, cwd: `/home/dev/${id}` }),
    );
  const rest = 'it must wait a while, try again, and tell the user when it has given up';
  add('api', `Make the websocket reconnect after a break: ${rest}`);
  add('shop', `Make the websocket reconnect after a break: ${rest} today`);
  add('far', 'Draw the charts, make them green, then write the notes of the release');
  const parts = await openWorld(world);
  await indexWorld(parts);
  return { world, parts };
}
