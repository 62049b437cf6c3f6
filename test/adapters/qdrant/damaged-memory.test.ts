import { describe, expect, it } from 'vitest';
import { followQuery } from '../../../src/app/memory/follow-query.ts';
import { listOpen } from '../../../src/app/memory/list-open.ts';
import { listTopics } from '../../../src/app/memory/list-topics.ts';
import { memoryStats } from '../../../src/app/memory/memory-stats.ts';
import { recall } from '../../../src/app/memory/recall/recall.ts';
import {
  renderMemoryStats,
  renderOpen,
  renderTimeline,
  renderTopics,
} from '../../../src/cli/memory/render-memory.ts';
import { renderRecall } from '../../../src/cli/memory/render-recall.ts';
import type { Look } from '../../../src/cli/terminal/ink.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import { oneOf } from '../../support/campaign.ts';
import { createWorld, openWorld } from '../../support/machines/world.ts';
import { HOSTILE_VALUES } from '../../support/qdrant/hostile-values.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { changeOf, type Sample } from '../../support/transcripts/sample-sessions.ts';

const LOOK: Look = { columns: 60, color: 0, unicode: true };
const NOW = Date.parse('2026-06-01T12:00:00Z');
const GOOD = sample('good', 'Keep the pump running');
const BAD = sample('bad', 'Stop the engine');
const setUp = useDoubles();

/** Ideas of several kinds that refer to each other, under two topics. */
function sample(id: string, content: string): Sample {
  return {
    id,
    chunks: [content],
    ideas: [
      { content, options: ['Use another'], entities: ['technology:redis'] },
      { kind: 'todo', content: `${content} tomorrow`, isOpen: true, span: 1 },
      {
        kind: 'solution',
        content: `${content} with Redis`,
        relations: [{ kind: 'supersedes', to: 0, confidence: 0.9 }],
      },
    ],
    spans: [{ name: `Topic of ${id}` }, { name: `Part of ${id}`, parent: 0, depth: 1 }],
  };
}

/** Everything that memory commands show, as text. Requires that the undamaged session is complete in it. */
async function askAll(parts: Parts, store: RemoteStore): Promise<void> {
  const deps = { ...parts, store };
  const answer = await recall(deps, { query: 'keep the pump running' });
  expect(renderRecall(answer, LOOK, NOW)).toContain('Keep the pump running');
  expect(renderTopics(await listTopics(deps, { limit: 10 }), LOOK, NOW)).toContain('Part of good');
  expect(renderOpen({ repository: null, ...(await listOpen(deps, { limit: 10 })) }, LOOK, NOW)).toContain(
    'Keep the pump running tomorrow',
  );
  expect(
    renderTimeline({ repository: null, ...(await followQuery(deps, { limit: 10 })) }, null, LOOK, NOW),
  ).toContain('Keep the pump running with Redis');
  expect(renderMemoryStats(await memoryStats({ store }), LOOK)).toMatch(/\d/);
}

describe('an idea or a topic on the server with values of wrong types', { timeout: 300_000 }, () => {
  it.each([
    ['idea', 0],
    ['idea', 2],
    ['span', 1],
  ] as const)(
    'keeps other sessions readable when an idea or topic is damaged (%s %i)',
    async (type, index) => {
      const { double, store } = await setUp();
      const parts = await openWorld(createWorld());
      await store.write([changeOf(GOOD), changeOf(BAD)]);
      await askAll(parts, store);
      const collection = double.collections.get('claude_sessions');
      const id = pointId('bad', type, index);
      const [point] = collection?.retrieve({ ids: [id] }) ?? [];
      const payload = structuredClone(point?.payload as Record<string, unknown>);
      const damage = (field: string, value: unknown) =>
        collection?.setPayload({ points: [id], payload: { [field]: value } });
      for (const [at, [field, old]] of Object.entries(payload).entries()) {
        for (const value of oneOf(HOSTILE_VALUES, at)) {
          damage(field, value);
          await askAll(parts, store).catch((error: unknown) => {
            throw new Error(`${field} = ${JSON.stringify(value).slice(0, 40)}`, { cause: error });
          });
        }
        damage(field, old);
      }
    },
  );

  it('survives ideas and topics that name themselves or each other as replacement or parent', async () => {
    const { double, store } = await setUp();
    const parts = await openWorld(createWorld());
    await store.write([changeOf(GOOD), changeOf(BAD)]);
    const collection = double.collections.get('claude_sessions');
    const to = (index: number) => [{ kind: 'supersedes', to: index, confidence: 1 }];
    for (const [index, target] of [
      [0, 2],
      [1, 1],
      [2, 0],
    ] as const)
      collection?.setPayload({
        points: [pointId('bad', 'idea', index)],
        payload: { relations: [...to(target), ...to(8.7e15)] },
      });
    for (const index of [0, 1])
      collection?.setPayload({
        points: [pointId('bad', 'span', index)],
        payload: { parent: 1 - index, depth: 8.7e15 },
      });
    await askAll(parts, store);
  });
});
