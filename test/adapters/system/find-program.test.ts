import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgentProgramFinder } from '../../../src/adapters/system/find-program.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';

describe.skipIf(process.platform === 'win32')('the version of an agent', () => {
  it('is asked for without leaving anything in the agent’s home', async () => {
    for (const [name, variable, isParent] of [
      ['codex', 'CODEX_HOME', false],
      ['claude', 'CLAUDE_CONFIG_DIR', false],
      ['gemini', 'GEMINI_CLI_HOME', true],
      ['opencode', 'XDG_STATE_HOME', true],
    ] as const) {
      const { path, home, find } = machine(variable);
      const place = isParent ? `$${variable}/own` : `$${variable}`;
      write(join(path, name), `mkdir -p "${place}/tmp/arg0" && echo "${name} 1.2.3"`);
      expect(await find(name)).toEqual({ path: join(path, name), version: '1.2.3' });
      expect(readdirSync(home), name).toEqual([]);
    }
  });

  it('is read from the npm package without starting the program', async () => {
    const { path, home, find } = machine('CODEX_HOME');
    const package_ = join(path, '..', 'lib', 'node_modules', '@openai', 'codex');
    write(join(package_, 'bin', 'codex.js'), 'touch "$CODEX_HOME/started"; echo 9.9.9');
    symlinkSync(join(package_, 'bin', 'codex.js'), join(path, 'codex'));
    const about = { name: '@openai/codex', version: '0.169.0', bin: { codex: 'bin/codex.js' } };
    writeFileSync(join(package_, 'package.json'), JSON.stringify(about));
    expect(await find('codex')).toMatchObject({ version: '0.169.0' });
    // A script of the user's own, in a package of another name.
    writeFileSync(join(package_, 'package.json'), JSON.stringify({ ...about, bin: { mine: 'x.js' } }));
    expect(await find('codex')).toMatchObject({ version: '9.9.9' });
    expect(readdirSync(home)).toEqual([]);
  });
});

function machine(variable: string) {
  const folder = tempFolder('program');
  const [path, home] = [join(folder, 'bin'), join(folder, 'home')];
  for (const one of [path, home]) mkdirSync(one);
  const env = { PATH: process.env.PATH, [variable]: home };
  const find = createAgentProgramFinder({ path, platform: process.platform }, env);
  return { path, home, find };
}

function write(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
