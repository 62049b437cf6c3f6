// Makes src/domain/memory/text/technology-names.ts of public lists of names:
//   node build/technologies.js NODE_MODULES
// in which are simple-icons, @iconify-json/logos (CC0-1.0), devicon, linguist-languages, npm-high-impact and
// an-array-of-english-words (MIT). A name is taken from simple-icons if the logos of developers' tools have it too, because
// simple-icons also has brands of shoes. English words are names only if two lists have them; they are marked, and count only with a
// capital letter.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2] ?? '');
const require = createRequire(join(folder, 'x.js'));
/** The most depended-on npm packages; further down are small helpers. */
const PACKAGES = 500;
/** Words of every transcript, which name no technology there. */
const NOT =
  /^(?:copyfiles|tsx|mdx|pre-commit|now|next|move|element|just|standard|progress|square|threads|effect|expect|should|got|click|colors|commander|agent|amp|app|apps|base|box|buffer|build|cli|code|color|config|core|crates|data|debug|del|diff|editor|env|events?|file|files|flow|fish|get|git commit|glob|graph|grid|hooks?|html|ini|json|less|linear|list|log|logos|make|markdown|match|merge|notion|open|path|pip|process|prompts?|public|query|request|roots?|scale|self|semantic|signal|source|stream|sum|target|task|tasks|test|text|time|toggle|uuid|version|which|wire|windows|word|xml|yaml|csv|css|svg|toml|ignore list|regular expression|javascript object notation|pull request|diff|meta|x|c|d|e|j|q|r|v|io|go|self|pan|red|ring|ruby on rails icon|sed|shell|slash|stan|text|inc)$/;

/** Storage, radio and network names, and models and tools of agents, that no list has, and a usual short form. */
const OTHERS = [
  'lmdb',
  'leveldb',
  'rocksdb',
  'grpc',
  'mqtt',
  'lora',
  'lorawan',
  'zigbee',
  'websocket',
  'postgresql|postgres',
  'kubernetes|k8s',
  'biome',
  'chakra ui|chakraui',
  'aws|amazonwebservices',
  'golang',
  'openai',
  'codex|openai codex',
  'anthropic',
  'cursor',
  'gemini',
  'langgraph',
  'langsmith',
  'langfuse',
  'playwright',
];
/** English words that are not used as such in transcripts. */
const NAMES = new Set(
  'android bun centos codex docker erlang firebase java pandas playwright puppeteer python redux sequelize storybook svelte swagger terraform typescript ubuntu vagrant vite'.split(
    ' ',
  ),
);

const words = new Set(JSON.parse(readFileSync(join(folder, 'an-array-of-english-words/index.json'), 'utf8')));
const logos = new Set(Object.keys(require('@iconify-json/logos/icons.json').icons).map(plain));
const names = new Map();
const sources = new Map();
const icons = JSON.parse(readFileSync(join(folder, 'simple-icons/data/simple-icons.json'), 'utf8'));
for (const row of [...OTHERS, ...OTHERS]) {
  const [name, ...others] = row.split('|');
  add(name, others);
}
for (const { title, aliases } of icons.icons ?? icons)
  if (logos.has(plain(title)) || logos.has(`${plain(title)}icon`)) add(title, aliases?.aka ?? []);
for (const { name, altnames, tags } of JSON.parse(readFileSync(join(folder, 'devicon/devicon.json'), 'utf8')))
  if (!tags.includes('social')) add(name, altnames);
const data = join(folder, 'linguist-languages/data');
for (const file of readdirSync(data).filter((one) => one.endsWith('.mjs') || one.endsWith('.js'))) {
  const { default: language } = await import(pathToFileURL(join(data, file)).href);
  if (language?.type === 'programming') add(language.name, []);
}
const { npmTopDependents } = await import(pathToFileURL(join(folder, 'npm-high-impact/index.js')).href);
for (const name of npmTopDependents.slice(0, PACKAGES))
  if (!/^@|-(?:loader|plugin|cli)\b/.test(name)) add(name, []);

for (const [name] of names) if (words.has(name) && (sources.get(plain(name)) ?? 0) < 2) names.delete(name);
const rows = [...names]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, aliases]) =>
    [words.has(name) && !NAMES.has(name) ? `^${name}` : name, ...new Set(aliases)].join('|'),
  );
const lines = [];
for (const row of rows) {
  if (lines.length === 0 || lines.at(-1).length + row.length > 180) lines.push(row);
  else lines[lines.length - 1] += `;${row}`;
}
writeFileSync(
  'src/domain/memory/text/technology-names.ts',
  `/*! Names of languages, products and packages, made by build/technologies.js of simple-icons and SVG Logos (CC0-1.0), devicon (MIT,
Copyright (c) 2015 konpa), linguist-languages (MIT, Copyright (c) Ika) and npm-high-impact (MIT, Copyright (c) Titus Wormer). */

/** In lower case, each with its other names. \`^\`: an English word. */
export const TECHNOLOGY_NAMES = \`
${lines.join(';\n')}\`;
`,
);

function add(title, others) {
  const name = title.toLowerCase().replace(/\s+/g, ' ').trim();
  if (!isUsable(name)) return;
  sources.set(plain(name), (sources.get(plain(name)) ?? 0) + 1);
  const twin = [...names].find(([known, aliases]) => plain(known) === plain(name) || aliases.includes(name));
  const aliases = [name, ...others.map((one) => one.toLowerCase())].filter(isUsable);
  const own = twin?.[0] ?? name;
  const more = aliases.filter((one) => one !== own && (one === name || !words.has(one)));
  names.set(own, [...(twin?.[1] ?? []), ...more]);
}

function isUsable(name) {
  return (
    (name.length >= 3 || /[+#]/.test(name)) &&
    name.length <= 24 &&
    /^[a-z0-9][a-z0-9 .+#-]*$/.test(name) &&
    !NOT.test(name)
  );
}

function plain(name) {
  return name.toLowerCase().replace(/\.(?=js|io)|[^a-z0-9#+]/g, '');
}
