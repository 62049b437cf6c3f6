// Makes src/domain/session/language-table.ts of public lists of names:
//   node build/languages.js NODE_MODULES
// in which are linguist-languages and devicon (MIT). Languages that devicon has a logo of are those that people name.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2] ?? '');
/** Devicon calls them differently, or has no logo. */
const MORE = new Set(['Assembly', 'CSS', 'Dockerfile', 'HTML', 'Makefile', 'SQL', 'Vue', 'TSX']);
/** Data that counts as code. */
const CODE = new Set(['Gradle', 'GraphQL', 'Prisma', 'SQL']);
/** Extensions that no language, or more than one, has as its first. */
const OWNERS = { '.h': 'C', '.pl': 'Perl', '.sql': 'SQL', '.asm': 'Assembly', '.s': 'Assembly' };
/** Names of other things in a code block, or of things that are no code. */
const NOT = new Set([
  'console',
  'inc',
  'node',
  'vb .net',
  'ack',
  'envrc',
  '.app',
  '.es',
  '.inc',
  '.ins',
  '.do',
  '.d',
  '.toc',
  '.i',
]);

const devicon = JSON.parse(readFileSync(join(folder, 'devicon/devicon.json'), 'utf8'));
const logos = new Set(devicon.flatMap(({ name, altnames }) => [name, ...altnames]).map(plain));
const data = join(folder, 'linguist-languages/data');
const files = readdirSync(data).filter((one) => one.endsWith('.js'));
const all = await Promise.all(
  files.map(async (file) => (await import(pathToFileURL(join(data, file)).href)).default),
);
const languages = all.filter(
  ({ name, type, aliases = [] }) =>
    (['programming', 'markup'].includes(type) || CODE.has(name)) &&
    !['ECLiPSe', 'NumPy', 'OpenCL'].includes(name) &&
    (MORE.has(name) || [name, ...aliases].some((one) => logos.has(plain(one)))),
);
const names = new Map(languages.map((one) => [one.name, { words: new Set(), files: new Set() }]));
// TSX after the language that it belongs to.
for (const { name, aliases = [], extensions = [], filenames = [] } of languages.sort((a) =>
  a.name === 'TSX' ? 1 : -1,
)) {
  const row = names.get(name === 'TSX' ? 'TypeScript' : name);
  for (const word of [name, ...aliases].map((one) => one.toLowerCase()))
    if (!NOT.has(word)) row.words.add(word.replace(/[ ']+/g, '-'));
  for (const extension of extensions)
    if (/^\.[a-z0-9+#]+$/.test(extension) && !NOT.has(extension) && ownerOf(extension) === name)
      row.files.add(extension);
  for (const file of filenames) if (/^[A-Z]\w*file$/.test(file)) row.files.add(file);
}
const rows = [...names.values()]
  .filter(({ words, files }) => words.size > 0 && files.size > 0)
  .map(({ words, files }) => [...words, ...files].join(' '))
  .sort();
writeFileSync(
  'src/domain/session/language-table.ts',
  `/*! Names of programming languages and the endings of their files, made by build/languages.js of linguist-languages (MIT, Copyright (c)
Ika) and devicon (MIT, Copyright (c) 2015 konpa). */

/** A row per language: its name, its other names, the endings of its files (\`.ts\`) and whole names of files (\`Makefile\`). */
export const LANGUAGE_TABLE = \`
${rows.join('\n')}\`;
`,
);

/** The language that has the extension first; the only one that has it otherwise. */
function ownerOf(extension) {
  if (OWNERS[extension] !== undefined) return OWNERS[extension];
  const having = languages.filter(({ extensions = [] }) => extensions.includes(extension));
  const first = having.filter(({ extensions }) => extensions[0] === extension);
  const owners = first.length > 0 ? first : having;
  return owners.length === 1 ? owners[0].name : null;
}

function plain(name) {
  return name.toLowerCase().replace(/[^a-z0-9#+]/g, '');
}
