import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/files/temp-folder.ts';

const run = promisify(execFile);
const TSC = join(process.cwd(), 'node_modules/.bin/tsc');

it('types the answers of the library where zod is not installed', { timeout: 120_000 }, async () => {
  const folder = tempFolder('types');
  const types = join(folder, 'types');
  await run(TSC, ['-p', 'build', '--noEmit', 'false', '--emitDeclarationOnly', '--outDir', types]);
  await run(process.execPath, ['build/library-types.js', types]);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', types: [] },
      files: ['use.ts'],
    }),
  );
  writeFileSync(
    join(folder, 'use.ts'),
    `import { openSmartFork } from './types/index.js';
const smartFork = await openSmartFork();
const { results } = await smartFork.search({ query: 'x' });
export const title: string | undefined = results[0]?.title;
// @ts-expect-error a title is text
export const wrong: number | undefined = results[0]?.title;
// @ts-expect-error there is no such field
export const none = (await smartFork.stats({})).no_such_field;
`,
  );
  const { stdout } = await run(TSC, ['-p', folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
