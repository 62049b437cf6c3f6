import { join } from 'node:path';
import { isAnswering } from '../../adapters/serve/is-answering.ts';
import { openBrowser } from '../../adapters/serve/open-browser.ts';
import { givenToken, ownToken } from '../../adapters/serve/token-file.ts';
import type { Config } from '../../config/config.ts';
import { environmentForTools } from '../../config/environment.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { pathOfProgram } from '../programs.ts';

export {
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  writeServerRecord,
} from '../../adapters/serve/server-record.ts';
export { isAnswering };

interface ServeToken {
  path: string;
  token: string;
}

/**
 * The server's token.
 * @throws SmartForkError USAGE for a host other than this machine without a token file
 */
export function serveToken({ home }: Config, host: string, tokenFile: string | undefined): ServeToken {
  if (tokenFile !== undefined) return { path: tokenFile, token: givenToken(tokenFile) };
  if (!isLoopback(host)) {
    throw new SmartForkError(
      'USAGE',
      `--host ${host} exposes the server to other machines and requires --token-file`,
      {
        hint: 'Safer: keep the default host and tunnel: ssh -L 8741:127.0.0.1:8741 HOST',
      },
    );
  }
  const path = join(home, 'serve-token');
  return { path, token: ownToken(path) };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function openInBrowser(file: string, env: Record<string, string | undefined>): Promise<boolean> {
  const find = (name: string) => pathOfProgram(name, env);
  return openBrowser(file, process.platform, environmentForTools(env), find);
}
