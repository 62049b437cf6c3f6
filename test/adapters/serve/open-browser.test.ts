import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../../../src/adapters/serve/open-browser.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

// The program is a script.
describe.skipIf(process.platform === 'win32')('opening the browser', () => {
  const open = (script: string | null) => {
    const program = join(tempFolder(), 'xdg-open');
    if (script !== null) writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return openBrowser('/tmp/page.html', 'linux', process.env, () => (script === null ? null : program));
  };

  it('fails where the program finds no browser, as over SSH', async () => {
    expect(await open('exit 3')).toBe(false);
    expect(await open(null)).toBe(false);
  });

  it('succeeds when the program ends well, or goes on with the browser', async () => {
    expect(await open('exit 0')).toBe(true);
    expect(await open('exec sleep 6')).toBe(true);
  });
});
