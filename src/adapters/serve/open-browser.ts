import { spawn } from 'node:child_process';

/** A program still running after this time has found a browser. */
const PATIENCE_MS = 4000;

/** Opens a file in the user's browser; false if no program can. `findProgram` looks on the PATH. */
export function openBrowser(
  file: string,
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  findProgram: (name: string) => string | null,
): Promise<boolean> {
  const [name, ...words] = commandFor(platform);
  const program = findProgram(name ?? '');
  if (program === null) return Promise.resolve(false);
  // Without a desktop, as over SSH, xdg-open runs and fails.
  return new Promise((resolve) => {
    const child = spawn(program, [...words, file], {
      stdio: 'ignore',
      detached: true,
      env,
      windowsHide: true,
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
    setTimeout(() => resolve(true), PATIENCE_MS);
  });
}

function commandFor(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['open'];
  // `start` would take an & in the path as the start of another command.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open'];
}
