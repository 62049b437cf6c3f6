import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { createSharingWorld, type SharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';
import {
  CLOUD_MODEL,
  type InferenceService,
  inferenceService,
  REFUSALS,
} from '../support/qdrant/double/inference.ts';
import type { QdrantDouble } from '../support/qdrant/double/server.ts';
import { prepareChecks, startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { claudePath, jsonl, line, stampLines, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const CAR = uuidOf('car session');
const TREE = uuidOf('tree session');
const CAR_TALK = [line.user('mend the car'), line.assistant('the car runs again')];
const TREE_TALK = [line.user('plant an oak'), line.assistant('the oak stands by the pond')];
const PROVIDER = { SMART_FORK_EMBEDDING_PROVIDER: 'qdrant-cloud' };

interface Searched {
  results: { session_id: string }[];
  mode: string;
  notices: { code: string; message: string; hint?: string }[];
}

/** Two machines without a model, and a server that embeds. */
describe('machines whose server embeds', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let inference: InferenceService;
  let atlas: SharingWorld;
  let borea: SharingWorld;
  beforeAll(prepareChecks);
  beforeEach(async () => {
    inference = inferenceService();
    double = await startCheckedDouble({ inference });
    onTestFinished(() => double.close());
    atlas = createSharingWorld('atlas', double.url, PROVIDER);
    borea = createSharingWorld('borea', double.url, PROVIDER);
  });
  const found = async (world: SharingWorld, ...words: string[]) => {
    const { results, mode, notices } = (await runJson(world, ['search', ...words])) as unknown as Searched;
    return { ids: results.map(({ session_id }) => session_id), mode, notices };
  };
  const continueSession = (world: SharingWorld, text: string) => {
    const more = [line.user(text), line.assistant('done')];
    const before = stampLines(CAR_TALK, { sessionId: CAR, cwd: world.repository });
    const after = stampLines(more, { sessionId: CAR, cwd: world.repository, after: 2 });
    writeFileSync(claudePath(world.claudeHome, CAR), jsonl([...before, ...after]));
  };

  it('finds another machine’s sessions by meaning without a model', async () => {
    writeSession(atlas, CAR, CAR_TALK);
    writeSession(atlas, TREE, TREE_TALK);
    const summary = await runJson(atlas, ['index']);
    expect(summary).toMatchObject({
      indexed: 2,
      waiting: { intents: 0, chunks: 0 },
      server: { sent: 2, waiting: 0, problems: [] },
    });
    expect(inference.stored).toHaveLength(6);
    expect(await found(borea, 'automobile')).toMatchObject({ ids: [CAR, TREE], mode: 'hybrid', notices: [] });
    const from = double.requests.length;
    const { ids, notices } = await found(borea, 'automobile');
    expect({ ids, notices }).toEqual({ ids: [CAR, TREE], notices: [] });
    const asked = double.requests.slice(from).filter(({ body }) => JSON.stringify(body).includes('"text":'));
    expect(asked).toHaveLength(1);
    expect(new Set(asked.map(({ path }) => path))).toEqual(
      new Set(['/collections/claude_sessions/points/query/batch']),
    );
    expect(new Set(inference.searched)).toEqual(new Set(['automobile']));

    await found(borea, 'automobile', 'AKIA2E0A8F3B244C9986');
    expect(inference.searched.at(-1)).toBe('automobile [REDACTED:aws]');

    expect(await runJson(borea, ['stats'])).toMatchObject({
      sessions: 2,
      vectors: 4,
      waiting: { intents: 0, chunks: 0 },
      store: { model: CLOUD_MODEL },
      server: { embedding: { model: CLOUD_MODEL, waiting: { intents: 0, chunks: 0 }, problem: null } },
    });
    const checks = (await runJson(atlas, ['doctor'])).checks as {
      name: string;
      status: string;
      message: string;
    }[];
    expect(checks.find(({ name }) => name === 'Model')).toEqual({
      name: 'Model',
      status: 'ok',
      message: `${CLOUD_MODEL}: used by Qdrant at ${double.url}`,
    });
    expect(checks.map(({ name }) => name)).not.toContain('Embeddings');
    expect((await runCli(atlas, ['status'])).stdout).toMatch(/Embeddings\s+up to date/);
    expect((await runCli(atlas, ['model', 'status'])).stdout).toBe(
      `${CLOUD_MODEL} (384 dimensions): used by Qdrant at ${double.url}\nThe index was embedded with ${CLOUD_MODEL} (384 dimensions).\n`,
    );
    expect((await runCli(atlas, ['model', 'pull'])).stderr).toContain('this machine needs no model');
    for (const world of [atlas, borea]) expect(existsSync(join(world.folder, 'hub'))).toBe(false);
  });

  it('embeds every text once, whoever indexes it and however often', async () => {
    writeSession(atlas, CAR, CAR_TALK);
    await runJson(atlas, ['index']);
    continueSession(atlas, 'and the brakes');
    await runJson(atlas, ['index']);
    const texts = [...inference.stored];
    // A topic is embedded again when it continues, although its summary may stay the same.
    const passages = texts.filter((text) => !text.startsWith('mend the car\nmend the car'));
    expect(new Set(passages).size).toBe(passages.length);
    await runJson(atlas, ['tag', CAR, 'garage']);
    await runJson(atlas, ['index', '--force']);
    await runJson(atlas, ['migrate', '--to', 'qdrant']);
    await runJson(atlas, ['reindex', '--yes']);
    await runJson(borea, ['index']);
    expect(inference.stored).toEqual(texts);
    expect(await runJson(borea, ['migrate', '--to', 'embedded'])).toMatchObject({
      copied: 1,
      missingVectors: 0,
      different: [],
    });
    const copied = { QDRANT_COLLECTION: 'another' };
    expect(
      await runJson(borea, ['migrate', '--to', 'qdrant', '--from', 'claude_sessions'], { env: copied }),
    ).toMatchObject({ copied: 1, missingVectors: 0, different: [] });
    expect(inference.stored).toEqual(texts);
  });

  it('falls back to keyword search with a notice when the server is away', async () => {
    writeSession(atlas, CAR, CAR_TALK);
    await runJson(atlas, ['index']);
    await double.close();
    const { ids, mode, notices } = await found(atlas, 'car');
    expect({ ids, mode }).toEqual({ ids: [CAR], mode: 'keyword' });
    expect(notices).toMatchObject([
      { code: 'SERVER_AWAY', message: expect.stringContaining('only this machine’s sessions') },
      { code: 'NOT_EMBEDDED', message: 'keyword only: only the server embeds' },
    ]);
    writeSession(atlas, TREE, TREE_TALK);
    expect(await runJson(atlas, ['index'])).toMatchObject({
      indexed: 1,
      waiting: { chunks: 0 },
      server: { waiting: 1 },
    });
    const { stdout, stderr } = await runCli(atlas, ['status']);
    expect(`${stdout}${stderr}`).not.toContain('model pull');
  });

  it('shares texts while the server has no embedding service, and embeds them once it has', async () => {
    delete double.options.inference;
    writeSession(atlas, CAR, CAR_TALK);
    writeSession(atlas, TREE, TREE_TALK);
    const { server } = await runJson(atlas, ['index']);
    expect(server).toMatchObject({
      sent: 2,
      waiting: 0,
      problems: [
        {
          message: 'the server has no embedding service',
          hint: expect.stringContaining('smart-fork config set embedding.provider local'),
        },
      ],
    });
    const withTexts = () =>
      double.requests.filter(({ body }) => JSON.stringify(body).includes('"text":')).length;
    const before = withTexts();
    expect(before).toBe(1);
    // For a while, neither the worker nor searches retry.
    continueSession(atlas, 'and the brakes');
    await runCli(atlas, ['worker', '--drain']);
    const { ids, mode, notices } = await found(atlas, 'brakes');
    expect({ ids, mode }).toEqual({ ids: [CAR], mode: 'keyword' });
    expect(notices).toMatchObject([
      { code: 'NOT_EMBEDDED', message: 'keyword only: the server has no embedding service' },
    ]);
    expect(withTexts()).toBe(before);
    const { checks } = await runJson(atlas, ['doctor']);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'Embeddings', status: 'warn' }));
    const refuses = `refused by Qdrant at ${double.url}`;
    expect(checks).toContainEqual({
      name: 'Model',
      status: 'warn',
      message: `${CLOUD_MODEL}: ${refuses}, see Embeddings`,
    });
    const status = await runCli(atlas, ['model', 'status']);
    expect(status.stdout).toContain(`${refuses}: the server has no embedding service\n`);
    expect(status.stdout).toContain('smart-fork config set embedding.provider local');
    expect(await runJson(atlas, ['model', 'status'])).toMatchObject({
      state: 'server',
      problem: { message: 'the server has no embedding service' },
    });
    expect((await runCli(atlas, ['stats'])).stdout).toContain('the server has no embedding service');

    double.options.inference = inference;
    expect(await runJson(atlas, ['index'])).toMatchObject({
      waiting: { intents: 0, chunks: 0 },
      server: { problems: [] },
    });
    expect(await found(borea, 'automobile')).toMatchObject({ ids: [CAR, TREE], mode: 'hybrid', notices: [] });
    expect(await found(atlas, 'automobile')).toMatchObject({ ids: [CAR, TREE], mode: 'hybrid', notices: [] });
    expect((await runJson(atlas, ['doctor'])).checks).not.toContainEqual(
      expect.objectContaining({ name: 'Embeddings' }),
    );
    expect(new Set(inference.stored).size).toBe(inference.stored.length);
  });

  it('continues to share texts when the quota is exhausted', async () => {
    inference.refuse = REFUSALS.quota;
    writeSession(atlas, CAR, CAR_TALK);
    const { stdout } = await runCli(atlas, ['index']);
    expect(stdout).toContain('1 session sent to the server');
    expect(stdout.replace(/\s+/g, ' ')).toContain('quota exceeded');
    expect(await found(borea, 'car')).toMatchObject({ ids: [CAR], mode: 'keyword' });
    const dense = await runCli(borea, ['search', 'car', '--mode', 'dense']);
    expect(dense.stderr).toContain('cannot search by meaning');
    expect(dense.status).toBe(1);
  });

  it('embeds passages sent by a machine without a model', async () => {
    const local = { SMART_FORK_EMBEDDING_PROVIDER: 'local', QDRANT_COLLECTION: 'claude_sessions' };
    writeSession(atlas, TREE, TREE_TALK);
    await runJson(atlas, ['index']);
    writeSession(borea, CAR, CAR_TALK);
    expect(await runJson(borea, ['index'], { env: local })).toMatchObject({ server: { problems: [] } });
    expect(inference.stored).toHaveLength(3);
    await runCli(atlas, ['worker', '--drain']);
    expect(inference.stored).toHaveLength(6);
    expect(await found(atlas, 'automobile')).toMatchObject({ ids: [CAR, TREE], notices: [] });
  });

  it('ignores local vectors, and returns to them with reindex', async () => {
    const folder = await writeTinyModel(join(atlas.folder, 'tiny'), { dimensions: 16 });
    const local = { SMART_FORK_EMBEDDING_PROVIDER: '', QDRANT_URL: '', SMART_FORK_MODEL_DIR: folder };
    writeSession(atlas, CAR, CAR_TALK);
    await runJson(atlas, ['index'], { env: local });
    expect(await runJson(atlas, ['stats'], { env: local })).toMatchObject({ vectors: 2 });

    expect(await runJson(atlas, ['migrate', '--to', 'qdrant'])).toMatchObject({
      copied: 1,
      missingVectors: 0,
    });
    writeSession(atlas, TREE, TREE_TALK);
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    expect(inference.stored).toHaveLength(6);
    expect(await runJson(atlas, ['stats'])).toMatchObject({ vectors: 4, store: { model: CLOUD_MODEL } });
    expect(await found(atlas, 'automobile')).toMatchObject({ ids: [CAR, TREE], mode: 'hybrid', notices: [] });

    const back = await runCli(atlas, ['index'], { env: local });
    expect(back.stderr.replace(/\s+/g, ' ')).toContain('Rebuild the index: smart-fork reindex');
    await runJson(atlas, ['reindex', '--yes'], { env: local });
    expect(await runJson(atlas, ['stats'], { env: local })).toMatchObject({ sessions: 2, vectors: 4 });
  });

  it('reports in the MCP server and init that no model is needed', async () => {
    writeSession(atlas, CAR, CAR_TALK);
    const env = { ...atlas.env, PATH: process.env.PATH ?? '' };
    const { call, close } = await connect(env, atlas.repository, {});
    onTestFinished(close);
    const indexed = await call('index_session', { session_id: CAR });
    expect(indexed.structured).toMatchObject({
      state: 'indexed',
      embedded: 0,
      found_by: 'words',
      warnings: [`keyword search only until Qdrant at ${double.url} has embedded it`],
    });
    await runJson(borea, ['index']);
    await runJson(atlas, ['index']);
    const { structured: detected } = await call('fork_detect', { intent: 'automobile' });
    expect(detected).toMatchObject({ mode: 'hybrid', results: [{ session_id: CAR }] });
    expect(detected.warnings).toBeUndefined();
    const { stdout } = await runCli(atlas, ['init', '--agent', 'claude', '--yes', '--no-hooks', '--no-mcp']);
    expect(stdout).not.toContain('model pull');
  });
});

describe('the embedding provider setting', { timeout: 60_000 }, () => {
  const url = 'http://127.0.0.1:9';
  const set = async (world: SharingWorld, key: string, value: string) => {
    const { status, stderr } = await runCli(world, ['config', 'set', key, value]);
    return { status, stderr: stderr.replace(/\s+/g, ' ') };
  };

  it('refuses the provider without a server, with encryption, and if it is unknown', async () => {
    const world = createSharingWorld('atlas', '');
    const alone = await set(world, 'embedding.provider', 'qdrant-cloud');
    expect(alone.stderr).toContain('no server is configured');
    expect(alone.stderr).toContain('QDRANT_URL');
    expect((await set(world, 'embedding.provider', 'azure')).stderr).toContain('embedding.provider');
    expect((await set(world, 'qdrant.url', url)).status).toBe(0);
    expect((await set(world, 'encryption', 'on')).status).toBe(0);
    const sealed = await set(world, 'embedding.provider', 'qdrant-cloud');
    expect(sealed.stderr).toContain('encryption is on: the server could not read the texts');
    expect((await set(world, 'encryption', 'off')).status).toBe(0);
    expect((await set(world, 'embedding.provider', 'qdrant-cloud')).status).toBe(0);
    expect((await set(world, 'encryption', 'on')).stderr).toContain('could not read the texts');
    const other = await set(world, 'embedding.model', 'intfloat/multilingual-e5-small');
    expect(other.stderr).toContain('model intfloat/multilingual-e5-small is unknown');
    expect((await set(world, 'embedding.dimensions', '384')).status).toBe(0);
    expect((await set(world, 'embedding.model', 'intfloat/multilingual-e5-small')).status).toBe(0);
    const { settings } = await runJson(world, ['config', 'list']);
    expect(settings).toContainEqual(
      expect.objectContaining({ key: 'embedding.provider', value: 'qdrant-cloud', origin: 'config.json' }),
    );
    expect(settings).toContainEqual(
      expect.objectContaining({ key: 'embedding.model', value: 'intfloat/multilingual-e5-small' }),
    );
  });

  it('stops every command while the provider conflicts with other settings, and can fix that', async () => {
    const world = createSharingWorld('atlas', '', PROVIDER);
    for (const words of [['index'], ['search', 'x'], ['stats']]) {
      const { status, stderr } = await runCli(world, words);
      expect({ status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('no server is configured'),
      });
    }
    const sealing = { QDRANT_URL: url, SMART_FORK_ENCRYPTION: 'on' };
    expect((await runCli(world, ['index'], { env: sealing })).stderr).toContain('encryption is on');
    const wrong = { SMART_FORK_EMBEDDING_PROVIDER: 'azure' };
    const { stderr } = await runCli(world, ['stats'], { env: wrong });
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'SMART_FORK_EMBEDDING_PROVIDER: expected local or qdrant-cloud, found "azure"',
    );
    mkdirSync(world.home, { recursive: true });
    writeFileSync(
      join(world.home, 'config.json'),
      JSON.stringify({ embedding: { provider: 'qdrant-cloud' } }),
    );
    const bare = { SMART_FORK_EMBEDDING_PROVIDER: '' };
    expect((await runCli(world, ['stats'], { env: bare })).stderr).toContain('no server is configured');
    expect((await runJson(world, ['doctor'], { env: bare })).checks).toContainEqual(
      expect.objectContaining({ name: 'Settings', status: 'fail' }),
    );
    expect((await runCli(world, ['config', 'unset', 'embedding.provider'], { env: bare })).status).toBe(0);
    expect((await runCli(world, ['stats'], { env: bare })).stderr).not.toContain('no server is configured');
  });
});
