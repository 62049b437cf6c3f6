import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Packs the built repository as `npm publish` does; returns the path of the archive. */
export function packRepository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), HOME: folder };
  return join(folder, execFileSync('npm', words, { env, encoding: 'utf8' }).trim());
}

/** Extracts a package; returns its folder. */
export function unpack(archive: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  return join(folder, 'package');
}
