import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rerank } from '../../../../src/app/search/rank/rerank.ts';
import type { Reranker } from '../../../../src/ports/rerank/reranker.ts';
import { tempFolder } from '../../../support/files/temp-folder.ts';
import { runCli, runJson } from '../../../support/machines/cli.ts';
import {
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  type World,
} from '../../../support/machines/world.ts';
import { writeTinyModel } from '../../../support/models/tiny-model.ts';
import { writeTinyReranker } from '../../../support/models/tiny-reranker.ts';
import { line, stampLines, writeClaude } from '../../../support/transcripts/claude-transcripts.ts';

const QUERY = 'websocket reconnect';

async function withSessions(settings: object): Promise<World> {
  const world = createWorld();
  mkdirSync(world.home, { recursive: true });
  const prompts = {
    first: 'Make the websocket reconnect',
    second: 'Make the websocket reconnect, then deploy',
    third: 'Make the websocket faster, then deploy, then deploy again',
  };
  for (const [id, prompt] of Object.entries(prompts)) {
    const lines = stampLines([line.user(prompt), line.assistant('Done.')], { sessionId: id });
    writeClaude(world.claudeHome, id, lines);
  }
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ search: settings }));
  const parts = await openWorld(world);
  await indexWorld(parts);
  await parts.close();
  return world;
}

async function idsIn(world: World, limit?: number): Promise<string[]> {
  const parts = await openWorld(world);
  const { results } = await searchWorld(parts, { query: QUERY, limit: limit || undefined });
  await parts.close();
  return results.map(({ session_id }) => session_id);
}

it('orders results by their reranked passages, with an explanation, including results beyond the limit', async () => {
  const reranker = await writeTinyReranker(tempFolder('reranker'), ['deploy']);
  expect(await idsIn(await withSessions({}))).toEqual(['first', 'second', 'third']);
  const world = await withSessions({ reranker });
  expect(await idsIn(world)).toEqual(['second', 'third', 'first']);
  expect(await idsIn(world, 1)).toEqual(['second']);
  const scores = { parts: { reranker: 0.5 }, weights: { reranker: 1 } };
  const answer = await runJson(world, ['search', QUERY]);
  expect(answer).toMatchObject({ results: [{ scores }, {}, {}] });
  expect((await runCli(world, ['search', QUERY, '--explain'])).stdout).toContain('reranker');
});

it('applies --min-score to the reranked score', async () => {
  const reranker = await writeTinyReranker(tempFolder('reranker'), ['deploy']);
  const scoresIn = async (world: World, minScore = 0) => {
    const parts = await openWorld(world);
    const { results } = await searchWorld(parts, { query: QUERY, minScore });
    await parts.close();
    return new Map(results.map(({ session_id, score }) => [session_id, score]));
  };
  const before = (await scoresIn(await withSessions({}))).get('third') ?? 0;
  const world = await withSessions({ reranker });
  const after = (await scoresIn(world)).get('third') ?? 0;
  expect(after).toBeGreaterThan(before);
  expect([...(await scoresIn(world, (before + after) / 2)).keys()]).toContain('third');
});

it('leaves results as they are if the reranker is missing, and says so in search and doctor', async () => {
  const reranker = join(tempFolder('reranker'), 'gone');
  const world = await withSessions({ reranker });
  expect(await idsIn(world)).toEqual(['first', 'second', 'third']);
  const reason = `model.onnx in ${reranker} does not exist`;
  const told = async (...words: string[]) => (await runCli(world, words)).stdout.replace(/\s+/g, ' ');
  expect(await told('search', QUERY)).toContain(
    `not reranked: cannot run the reranker ${reranker}: ${reason}`,
  );
  expect(await told('search', QUERY)).not.toContain(reason);
  expect(await told('doctor')).toContain(`results are not reranked: ${reason}`);
  rmSync(join(world.home, 'config.json'));
  writeFileSync(join(world.home, 'config.json'), '{"search": {"reranker": "no-such-name"}}');
  expect((await runCli(world, ['search', QUERY])).stderr).toMatch(
    /search\.reranker.*ettin-reranker-17m.*full path of a folder/s,
  );
});

it('tries the reranker in doctor, and rejects a model that is not a reranker', async () => {
  const check = async (reranker: string) =>
    (await runCli(await withSessions({ reranker }), ['doctor'])).stdout.replace(/\s+/g, ' ');
  const good = await writeTinyReranker(tempFolder('reranker'), ['deploy']);
  expect(await check(good)).toContain(`✔ Reranker ${good} in ${good}`);
  expect(await check(await writeTinyModel(tempFolder('embedder')))).toMatch(
    /✖ Reranker .*expected one score/,
  );
});

it('leaves results as they are if the reranker takes too long', async () => {
  const ranked = ['one', 'two'].map((session_id) => ({
    session_id,
    score: 1,
    best: { chunkByWords: null, chunkByVector: null, intent: null },
    scores: { parts: {}, weights: {} },
  }));
  const slow: Reranker = {
    name: 'slow',
    state: async () => ({ state: 'ready', directory: '' }),
    score: () => new Promise(() => undefined),
    close: async () => undefined,
  };
  const shown = { sessions: new Map(), points: new Map() };
  expect(await rerank(slow, QUERY, { ranked, shown })).toEqual({
    ranked,
    notices: [
      {
        code: 'NOT_RERANKED',
        message: 'not reranked: slow took longer than 3 s',
        hint: 'smart-fork doctor',
      },
    ],
  });
});
