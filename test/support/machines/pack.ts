import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Packs a package as `npm publish` does; returns the path of the archive. */
export function pack(packageFolder: string, to: string): string {
  mkdirSync(to, { recursive: true });
  const words = ['pack', packageFolder, '--ignore-scripts', '--silent', '--pack-destination', to];
  const env = { ...process.env, npm_config_cache: join(to, 'cache'), HOME: to };
  return join(
    to,
    execFileSync('npm', words, { env, encoding: 'utf8', shell: process.platform === 'win32' }).trim(),
  );
}

/** Extracts a package; returns its folder. */
export function unpack(archive: string, to: string): string {
  execFileSync('tar', ['-xzf', archive, '-C', to]);
  return join(to, 'package');
}
