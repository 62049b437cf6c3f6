import { spawn } from 'node:child_process';

/** Opens a URL in the user's browser; false if that is not possible. `findProgram` searches the PATH. */
export function openBrowser(
  url: string,
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  findProgram: (name: string) => string | null,
): Promise<boolean> {
  const [name, ...words] = commandFor(platform);
  const program = findProgram(name ?? '');
  if (program === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, [...words, url], {
      stdio: 'ignore',
      detached: true,
      env,
      windowsHide: true,
    });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function commandFor(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['open'];
  // `start` would take an & in the URL as the start of another command.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
