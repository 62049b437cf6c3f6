import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withChunkSizes } from '../../src/domain/model/chunk-sizes.ts';
import { knownModel } from '../../src/domain/model/known-models.ts';
import { useCliMachines } from '../support/machines/cli-machine.ts';

const newMachine = useCliMachines();

it('names settings without effect at the first command after the file changed, and once', async () => {
  const { home, run } = newMachine({ transcripts: false });
  const write = (settings: object) => {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  };
  const told = async () => (await run(['status'])).stderr.replace(/\s+/g, ' ');
  write({ version: '1.0', storage: { directory: home, vector_db: 'chromadb' } });
  expect(await told()).toContain(
    'without effect in config.json: storage.vector_db (the index is a SQLite file, or a Qdrant server (qdrant.url))',
  );
  expect(await told()).toBe('');
  write({ indexing: { checkpoint_interval: 15 }, search: { similarity_threshold: 0.2 } });
  const second = await told();
  expect(second).toContain('indexing.checkpoint_interval (every answer is indexed)');
  expect(second).toContain('search.similarity_threshold (only for the ranking prd;');
  expect(await told()).toBe('');
  write({ search: { similarity_threshold: 0.2, ranking: 'prd' } });
  utimesSync(join(home, 'config.json'), 1, 1);
  expect(await told()).toBe('');
});

it('refuses to serve if server.enable_api is false', async () => {
  const { home, run } = newMachine({ transcripts: false });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), '{"server": {"enable_api": false}}');
  const { code, stderr } = await run(['serve', '--port', '0']);
  expect(code).toBe(2);
  expect(stderr).toContain('serve is turned off: serve.enabled (server.enable_api) is false');
});

it('chunks in the sizes of the file as far as the model reads them', () => {
  const nomic = knownModel('nomic-ai/nomic-embed-text-v1.5');
  const mini = knownModel('sentence-transformers/all-MiniLM-L6-v2');
  if (nomic === undefined || mini === undefined) throw new Error('no such model');
  expect(withChunkSizes(nomic, { target: 750, overlap: 150 })).toBe(nomic);
  expect(withChunkSizes(mini, { target: 750, overlap: 150 })).toBe(mini);
  expect(withChunkSizes(nomic, { target: 300, overlap: 100 }).chunk).toEqual({
    min: 200,
    target: 300,
    max: 400,
    overlap: 60,
  });
  expect(withChunkSizes(nomic, { target: 8000, overlap: null }).chunk.max).toBe(1331);
  expect(withChunkSizes(nomic, { target: null, overlap: 0 }).chunk).toEqual({ ...nomic.chunk, overlap: 0 });
});
