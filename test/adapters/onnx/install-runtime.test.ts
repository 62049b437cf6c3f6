import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRuntime, RUNTIME_VERSION } from '../../../src/adapters/onnx/find-runtime.ts';
import { installRuntime } from '../../../src/adapters/onnx/install-runtime.ts';
import { findProgram } from '../../../src/adapters/system/find-program.ts';

const here = `bin/napi-v6/${process.platform}/${process.arch}/binding.node`;
const elsewhere = 'bin/napi-v6/sunos/mips/binding.node';

const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
const npm = findProgram('npm', { path: process.env.PATH, platform: process.platform });
let server: Server;
let tarball: Buffer;
const before = { ...process.env };

beforeAll(async () => {
  tarball = packRuntime();
  server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    if (request.url?.endsWith('.tgz')) return response.end(tarball);
    const dist = { tarball: `http://127.0.0.1:${port}/runtime.tgz`, integrity: hashOf(tarball) };
    const version = { name: 'onnxruntime-node', version: '1.0.0', dist };
    response.end(JSON.stringify({ name: 'onnxruntime-node', versions: { '1.0.0': version } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.npm_config_registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  process.env.npm_config_cache = join(folder, 'cache');
});

afterAll(() => {
  process.env = before;
  server.close();
  rmSync(folder, { recursive: true });
});

describe('installRuntime', () => {
  it('installs the pinned runtime only for this platform, without running install scripts', async () => {
    const home = join(folder, 'home', 'runtime', '1.0.0');
    mkdirSync(join(dirname(home), '0.9.0'), { recursive: true });
    await installRuntime({ manifest: manifestFor('good', hashOf(tarball)), home, npm, env: process.env });
    const installed = join(home, 'node_modules', 'onnxruntime-node');
    expect(findRuntime(home)).toBe(join(installed, 'index.js'));
    expect(existsSync(join(installed, here))).toBe(true);
    expect(existsSync(join(installed, elsewhere))).toBe(false);
    expect(existsSync(join(installed, 'script-ran'))).toBe(false);
    expect(readdirSync(dirname(home))).toEqual(['1.0.0']);
  });

  it('rejects a download with a different hash, and leaves nothing behind', async () => {
    const home = join(folder, 'other', 'runtime', '1.0.0');
    const manifest = manifestFor('bad', hashOf(Buffer.from('another file')));
    await expect(installRuntime({ manifest, home, npm, env: process.env })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(/^cannot install onnxruntime-node 1\.30\.0: .*integrity checksum/i),
      hint: expect.stringContaining('npm install -g --ignore-scripts onnxruntime-node@1.30.0'),
    });
    expect(readdirSync(dirname(home))).toEqual([]);
  });

  it('reports that npm is missing', async () => {
    const options = {
      manifest: manifestFor('good', ''),
      home: join(folder, 'none', '1.0.0'),
      npm: null,
      env: process.env,
    };
    await expect(installRuntime(options)).rejects.toThrow('npm is not on the PATH');
  });
});

describe('the pinned runtime', () => {
  it('pins the runtime version that the tests use', () => {
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const pinned = read('runtime/package.json').dependencies['onnxruntime-node'];
    expect(pinned).toBe(read('package.json').devDependencies['onnxruntime-node']);
    expect(pinned).toBe(RUNTIME_VERSION);
    expect(read('runtime/package-lock.json').packages['node_modules/onnxruntime-node'].version).toBe(pinned);
  });
});

/** A package like onnxruntime-node, with binaries for several platforms and an install script. */
function packRuntime(): Buffer {
  const source = join(folder, 'source');
  const files = {
    'package.json': JSON.stringify({
      name: 'onnxruntime-node',
      version: '1.0.0',
      main: 'index.js',
      scripts: { postinstall: "node -e \"fs.writeFileSync('script-ran', '')\"" },
    }),
    'index.js': 'module.exports = {};',
    [here]: 'binary',
    [elsewhere]: 'binary',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  execFileSync('tar', [
    '-czf',
    join(folder, 'runtime.tgz'),
    '-C',
    folder,
    '--transform=s/^source/package/',
    'source',
  ]);
  return readFileSync(join(folder, 'runtime.tgz'));
}

function manifestFor(name: string, integrity: string): string {
  const dependencies = { 'onnxruntime-node': '1.0.0' };
  const entry = { version: '1.0.0', integrity, hasInstallScript: true };
  const packages = { '': { dependencies }, 'node_modules/onnxruntime-node': entry };
  const manifest = join(folder, name);
  mkdirSync(manifest, { recursive: true });
  writeFileSync(join(manifest, 'package.json'), JSON.stringify({ dependencies }, null, 2));
  writeFileSync(
    join(manifest, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
  return manifest;
}

function hashOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
