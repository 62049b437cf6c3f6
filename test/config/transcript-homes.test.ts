import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { transcriptHomes } from '../../src/config/transcript-homes.ts';
import { tempFolder } from '../support/files/temp-folder.ts';

it('reads also where an agent writes on other systems, if nothing else is set', () => {
  const home = tempFolder('homes');
  const own = join(home, '.claude');
  expect(transcriptHomes('claude', [own], { HOME: home })).toEqual([own]);
  mkdirSync(join(home, '.config/claude'), { recursive: true });
  expect(transcriptHomes('claude', [own], { HOME: home })).toEqual([own, join(home, '.config/claude')]);
  expect(transcriptHomes('claude', ['/work/claude'], { HOME: home })).toEqual(['/work/claude']);
});

it('follows the variable that moves the folders of all programs', () => {
  const home = tempFolder('homes');
  const own = join(home, '.claude');
  mkdirSync(join(home, 'moved/claude'), { recursive: true });
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'moved') };
  expect(transcriptHomes('claude', [own], env)).toEqual([own, join(home, 'moved/claude')]);
});

it('reads a folder once if one of an agent’s folders is a link to another', () => {
  const home = tempFolder('homes');
  const own = join(home, '.claude');
  mkdirSync(join(home, '.config/claude'), { recursive: true });
  symlinkSync(join(home, '.config/claude'), own);
  expect(transcriptHomes('claude', [own], { HOME: home })).toEqual([own]);
});

it('follows a variable that moves only the transcripts, wherever the home is', () => {
  const home = tempFolder('homes');
  const [own, runtime] = [join(home, '.qwen'), join(home, 'runtime')];
  const env = { HOME: home, QWEN_RUNTIME_DIR: runtime };
  expect(transcriptHomes('qwen', [own], env)).toEqual([own]);
  mkdirSync(runtime);
  expect(transcriptHomes('qwen', [own], env)).toEqual([own, runtime]);
  expect(transcriptHomes('qwen', ['/work/qwen'], { ...env, QWEN_HOME: '/work/qwen' })).toEqual([
    ...['/work/qwen', runtime],
  ]);
  expect(transcriptHomes('qwen', ['/listed'], env)).toEqual(['/listed']);
});
