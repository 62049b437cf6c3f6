import { expect, it } from 'vitest';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import { line, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

it('asks once for other checkouts of a missing repository, however many of its sessions were found', async () => {
  const world = createWorld();
  for (const sessionId of ['first', 'second', 'third']) {
    const lines = [line.user('Draw the chart again'), line.assistant('Drawn.')];
    writeClaude(world.claudeHome, sessionId, stampLines(lines, { sessionId, cwd: '/gone/widgets' }));
  }
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  const questions: string[] = [];
  const list: PointStore['list'] = (filter, ...rest) => {
    if (filter.repo !== undefined) questions.push(JSON.stringify(filter.repo));
    return store.list(filter, ...rest);
  };
  const { results } = await searchSessions(
    { ...parts, store: { ...store, list } },
    { query: 'draw the chart' },
  );
  expect(results).toHaveLength(3);
  expect(questions).toHaveLength(1);
});

it('inspects a result’s transcript once per search', async () => {
  const world = createWorld();
  for (const sessionId of ['first', 'second']) {
    const lines = [line.user('Draw the chart again'), line.assistant('Drawn.')];
    writeClaude(world.claudeHome, sessionId, stampLines(lines, { sessionId }));
  }
  const parts = await openWorld(world);
  await indexWorld(parts);
  const looked: string[] = [];
  const sources = parts.sources.map((source) => ({
    ...source,
    inspect(path: string) {
      looked.push(path);
      return source.inspect(path);
    },
  }));
  const deps = { ...parts, sources, store: await parts.store() };
  const request = { query: 'draw the chart', fromUnknownSession: true };
  const { results } = await searchSessions(deps, request);
  expect(results.map(({ local }) => local)).toEqual([true, true]);
  expect(looked).toHaveLength(2);
  await searchSessions(deps, request);
  expect(looked).toHaveLength(4);
});
