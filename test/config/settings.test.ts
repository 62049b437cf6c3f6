import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { tempFolder } from '../support/files/temp-folder.ts';

interface Written {
  file?: unknown;
  dotenv?: string;
  environment?: Record<string, string>;
}

/** A home with these settings, as read by `loadConfig`. */
function environmentWith({ file, dotenv, environment = {} }: Written): Record<string, string> {
  const home = tempFolder('settings');
  mkdirSync(home, { recursive: true });
  if (file !== undefined) writeFileSync(join(home, 'config.json'), JSON.stringify(file));
  if (dotenv !== undefined) writeFileSync(join(home, '.env'), dotenv);
  return { HOME: home, SMART_FORK_HOME: home, ...environment };
}

const load = (written: Written) => loadConfig(environmentWith(written));

async function messageFor(written: Written): Promise<string> {
  const problems: string[] = [];
  await loadConfig(environmentWith(written), ({ message }) => problems.push(message));
  return problems.join('\n').replace(/^\/.*config\.json: /, '');
}

describe('a setting', () => {
  it('reads a setting from the environment, else .env, else config.json, else the default', async () => {
    const file = { machine: 'file' };
    const dotenv = 'SMART_FORK_MACHINE=dotenv';
    const environment = { SMART_FORK_MACHINE: 'shell' };
    expect((await load({ file, dotenv, environment })).settings.machine).toEqual({
      value: 'shell',
      origin: 'environment',
    });
    expect((await load({ file, dotenv })).settings.machine).toEqual({ value: 'dotenv', origin: '.env' });
    expect((await load({ file })).settings.machine).toEqual({ value: 'file', origin: 'config.json' });
    expect((await load({})).settings.machine.origin).toBe('default');
  });

  it('reads config.json with a byte order mark, which some editors write', async () => {
    const environment = environmentWith({});
    writeFileSync(join(environment.HOME ?? '', 'config.json'), '\ufeff{"search":{"min_score":0.3}}');
    expect((await loadConfig(environment)).search.minScore).toBe(0.3);
  });

  it('treats a blank variable as not set, whatever .env says', async () => {
    const dotenv = 'SMART_FORK_MACHINE=dotenv';
    const { settings } = await load({
      file: { machine: 'file' },
      dotenv,
      environment: { SMART_FORK_MACHINE: ' ' },
    });
    expect(settings.machine).toEqual({ value: 'file', origin: 'config.json' });
  });

  it('expands ~ to the home folder in settings for folders', async () => {
    const environment = environmentWith({
      file: { claude: { homes: ['~/a', '/b'] }, embedding: { model_dir: '~/m' } },
    });
    const { homes, embedding } = await loadConfig(environment);
    expect(homes.claude).toEqual([join(environment.HOME ?? '', 'a'), '/b']);
    expect(embedding).toMatchObject({ model: null, modelDirectory: join(environment.HOME ?? '', 'm') });
  });
});

describe('the error for an invalid setting', () => {
  it.each<[string, Written, string]>([
    [
      'a number out of range',
      { file: { search: { max_results: 300 } } },
      'search.max_results: expected a whole number from 1 to 200, found 300',
    ],
    [
      'text instead of a number',
      { file: { search: { max_results: 'abc' } } },
      'search.max_results: expected a whole number from 1 to 200, found "abc"',
    ],
    [
      'an unknown choice',
      { file: { search: { mode: 'magic' } } },
      'search.mode: expected hybrid, keyword or dense, found "magic"',
    ],
    [
      'an unknown setting',
      { file: { search: { magic: 1 }, x: 2 } },
      'search.magic: no such setting; x: no such setting',
    ],
    ['a list instead of a group', { file: { search: [] } }, 'search: expected an object, found []'],
    ['null instead of an object', { file: null }, 'expected an object, found null'],
    [
      'a pattern without a name',
      { file: { privacy: { redact: [{ pattern: 'x' }] } } },
      'privacy.redact: expected a list of at most 100 patterns, each {"name": text, "pattern": text}, found [{"pattern":"x"}]',
    ],
    [
      'a variable',
      { environment: { QDRANT_TIMEOUT_MS: 'abc' } },
      'QDRANT_TIMEOUT_MS: expected a whole number from 100 to 60000, found "abc"',
    ],
    [
      'a switch',
      { environment: { SMART_FORK_ARCHIVE: 'maybe' } },
      'SMART_FORK_ARCHIVE: expected true or false, found "maybe"',
    ],
    [
      'a URL, which may contain a password',
      { environment: { QDRANT_URL: 'ftp://ada:pw@x' } },
      'QDRANT_URL: expected an http or https URL',
    ],
    ['a key', { file: { qdrant: { api_key: 7 } } }, 'qdrant.api_key: expected text'],
  ])('names the expected and the actual value of an invalid setting: %s', async (_, written, message) => {
    expect(await messageFor(written)).toBe(message);
    await expect(load(written)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message),
    });
  });
});

describe('unreadable settings', () => {
  const tolerant = (written: Written) => loadConfig(environmentWith(written), () => undefined);

  it.each<[string, Written]>([
    ['config.json', { file: { encryption: 'maybe' } }],
    ['a variable', { file: { encryption: 'off' }, environment: { SMART_FORK_ENCRYPTION: 'maybe' } }],
    ['another variable', { environment: { QDRANT_URL: 'nowhere' } }],
  ])('enables encryption and keeps transcripts local if settings are unreadable: %s', async (_, written) => {
    const { encryption, archive } = await tolerant(written);
    expect({ encryption, remote: archive.remote, enabled: archive.enabled }).toEqual({
      encryption: true,
      remote: false,
      enabled: true,
    });
  });

  it('leaves encryption off if the environment says so', async () => {
    const { encryption } = await tolerant({ file: { x: 1 }, environment: { SMART_FORK_ENCRYPTION: 'off' } });
    expect(encryption).toBe(false);
  });

  it('accepts the example in the requirements document verbatim, and names keys without effect', async () => {
    const environment = environmentWith({});
    const path = join(environment.HOME ?? '', 'config.json');
    writeFileSync(path, REQUIREMENTS_EXAMPLE);
    const config = await loadConfig(environment);
    expect(config.serve).toMatchObject({ host: 'localhost', port: 8741 });
    expect(config.embedding.model).toBe('nomic-ai/nomic-embed-text-v1.5');
    expect(config.search.maxResults).toBe(5);
    expect(config.homes.claude).toEqual([join(environment.HOME ?? '', '.claude')]);
    expect(config).toMatchObject({
      autoIndex: true,
      embedding: { batch: 50, chunk: { target: 750, overlap: 150 } },
      search: { formula: { threshold: 0.3, recencyDays: 30, recentBoost: true } },
    });
    expect(config.serve.enabled).toBe(true);
    expect(config.withoutEffect.map(({ key }) => key)).toEqual([
      'indexing.checkpoint_interval',
      // Here SMART_FORK_HOME is another folder.
      'storage.directory',
      'storage.vector_db',
      'storage.max_cache_size_mb',
      'search.similarity_threshold',
    ]);
    writeFileSync(path, '{"server": {"port": 1, "colour": "red"}} // why');
    await expect(loadConfig(environment)).rejects.toThrow('server.colour: no such setting');
    writeFileSync(path, '{"search": {"log": false}}');
    expect((await loadConfig(environment)).logs).toBe(false);
  });
});

const REQUIREMENTS_EXAMPLE = `{
  "version": "1.0",
  "embedding": {
    "model": "nomic-embed-text-v1.5",
    "dimensions": 768,
    "batch_size": 50,
    "max_batch_memory_mb": 2048
  },
  "indexing": {
    "checkpoint_interval": 15,          // Messages between checkpoints
    "chunk_size_tokens": 750,           // Target chunk size
    "chunk_overlap_tokens": 150,        // Overlap between chunks
    "auto_index": true,
    "watch_directories": ["~/.claude/"]
  },
  "search": {
    "max_results": 5,
    "similarity_threshold": 0.3,        // Minimum similarity score
    "include_recent_boost": true,
    "recency_weight_days": 30
  },
  "server": {
    "host": "localhost",
    "port": 8741,
    "enable_api": true
  },
  "storage": {
    "directory": "~/.smart-fork/",
    "vector_db": "chromadb",
    "max_cache_size_mb": 500
  }
}
`;

describe.runIf(process.platform !== 'win32')('settings files that are no text', () => {
  it.each([
    ['.env', 'a pipe without a writer', 'it is not a file'],
    ['config.json', 'a pipe without a writer', 'it is not a file'],
    ['.smartforkignore', 'a folder', 'it is not a file'],
    ['.env', 'text in UTF-16', 'it is not text in UTF-8'],
  ])('refuses %s as %s', async (name, kind, problem) => {
    const environment = environmentWith({});
    const path = join(environment.SMART_FORK_HOME ?? '', name);
    if (kind.startsWith('a pipe')) spawnSync('mkfifo', [path]);
    else if (kind === 'a folder') mkdirSync(path);
    else writeFileSync(path, Buffer.from('\ufeffQDRANT_URL=http://127.0.0.1:1\r\n', 'utf16le'));
    const problems: string[] = [];
    const all = loadConfig(environment, ({ message }) => problems.push(message)).catch((error) => {
      problems.push(error.message);
    });
    await all;
    expect(problems).toEqual([`${path}: ${problem}`]);
  });
});
