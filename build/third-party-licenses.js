import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that allow to ship a package with its notice. Add one only after reading it. */
const KNOWN = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '(MPL-2.0 OR Apache-2.0)',
  // sqlite-vec
  'MIT OR Apache',
];

/** Copyright lines of packages under the MIT licence that do not contain its text. */
const COPYRIGHTS = {
  '@hono/zod-openapi': 'Copyright (c) Yusuke Wada',
  '@hono/zod-validator': 'Copyright (c) Yusuke Wada',
  'gearhash-jit': 'Copyright (c) the authors of gearhash-jit',
  'onnxruntime-node': 'Copyright (c) 2018 - present Microsoft Corporation',
  'sqlite-vec': 'Copyright (c) 2024 Alex Garcia',
};

/** Notices of packages that are not installed, because others contain them. Those of lodash's parts are alike. */
const NOTICES = new URL('notices/', import.meta.url);

/**
 * Writes the licence and notices of every package in the given bundles, of the packages that these contain as a part of their own files,
 * and of native packages, which npm installs next to them.
 * @param {string} file
 * @param {import('esbuild').Metafile[]} metafiles
 * @param {string[]} native names of packages; the ones that are not installed are left out.
 * @throws if a package's licence is unknown, or its text is missing
 */
export function writeThirdPartyLicenses(file, metafiles, native) {
  const folders = [
    ...metafiles.flatMap(({ outputs }) => Object.values(outputs)).flatMap(({ inputs }) => packagesOf(inputs)),
    ...native.map((name) => `node_modules/${name}`).filter(existsSync),
  ];
  const contained = [...new Set(metafiles.flatMap(containedIn))].sort();
  const notices = [
    ...[...new Set(folders)].sort().map(noticeOf),
    ...[...new Set(contained.map((name) => name.replace(/^lodash\..*/, 'lodash')))].map(noticeOfContained),
  ];
  writeFileSync(
    file,
    `smart-fork contains the following packages, or is installed with them.\n${[...new Set(notices)].join('')}`,
  );
}

/** The folders of the packages among a bundle's input files. */
function packagesOf(inputs) {
  return Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
}

/** The packages that the packages of a bundle contain, by the source maps beside their files. */
function containedIn({ outputs }) {
  const files = new Set(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  return [...files].flatMap((path) => {
    if (!path.includes('node_modules/') || !existsSync(`${path}.map`)) return [];
    const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
    return sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  });
}

function noticeOfContained(name) {
  const file = new URL(`${name.replace('/', '+')}.txt`, NOTICES);
  if (!existsSync(file))
    throw new Error(`${name} is contained in another package, and has no notice in build/notices`);
  return `\n${'-'.repeat(80)}\n${name} (a part of another package)\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

function noticeOf(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (!KNOWN.includes(license))
    throw new Error(`${name} has the licence ${license}, which build/third-party-licenses.js does not know`);
  const source = repository?.url ?? repository ?? `https://www.npmjs.com/package/${name}`;
  return `\n${'-'.repeat(80)}\n${name} ${version}: ${license}\n${source}\n\n${textOf(name, folder)}\n`;
}

function textOf(name, folder) {
  const files = readdirSync(folder).filter((one) => /^(licen[cs]e|copying|notice)/i.test(one));
  if (files.length > 0)
    return files.map((one) => readFileSync(join(folder, one), 'utf8').trim()).join('\n\n');
  const copyright = COPYRIGHTS[name];
  if (copyright === undefined) throw new Error(`${name} has no licence text`);
  return readFileSync('LICENSE', 'utf8')
    .trim()
    .replace(/^Copyright .*$/m, copyright);
}
