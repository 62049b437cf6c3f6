import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';

export interface NpmRegistry {
  url: string;
  close(): void;
}

/** An npm registry on this machine that has the packages installed here, each in the version installed. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const name = path.replace(/\/-\/archive\.tgz$/, '');
    if (!existsSync(join('node_modules', name, 'package.json'))) response.writeHead(404).end('{}');
    else if (name === path) response.end(JSON.stringify(describe(name, urlOf())));
    else response.end(archiveOf(name));
  });
  const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: urlOf(), close: () => server.close() };
}

/** What a registry says about a package. */
function describe(name: string, url: string) {
  const manifest = JSON.parse(readFileSync(join('node_modules', name, 'package.json'), 'utf8'));
  const { version } = manifest;
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: `${url}/${name}/-/archive.tgz` } } },
  };
}

/** Not compressed, which npm accepts too. Like `npm pack`, everything is in one folder, whatever its name. */
function archiveOf(name: string): Buffer {
  const folder = join('node_modules', name);
  const words = ['-cf', '-', '-C', dirname(folder), basename(folder)];
  return execFileSync('tar', words, { maxBuffer: LARGEST });
}

const LARGEST = 200_000_000;
