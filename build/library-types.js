// Puts zod's declarations beside the library's, which use them: zod is bundled into the program, and not installed with it.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const FOLDER = process.argv[2] ?? 'dist/types';
const ZOD = join(FOLDER, 'zod');

const declarations = readdirSync(FOLDER, { recursive: true })
  .filter((name) => name.endsWith('.d.ts'))
  .map((name) => join(FOLDER, name));
for (const path of declarations) {
  const zod = relative(dirname(path), join(ZOD, 'index.js')).replaceAll('\\', '/');
  const text = readFileSync(path, 'utf8');
  const own = text.replaceAll("from 'zod'", `from '${zod.startsWith('.') ? zod : `./${zod}`}'`);
  if (own !== text) writeFileSync(path, own);
}
for (const part of ['index.d.ts', 'v4/classic', 'v4/core', 'v4/locales'])
  cpSync(join('node_modules/zod', part), join(ZOD, part), {
    recursive: true,
    filter: (path) => !/\.\w+$/.test(path) || path.endsWith('.d.ts'),
  });
