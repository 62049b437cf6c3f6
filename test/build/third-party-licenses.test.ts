import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeThirdPartyLicenses } from '../../build/third-party-licenses.js';
import { tempFolder } from '../support/files/temp-folder.ts';

const BUNDLED = ['@modelcontextprotocol/sdk', 'chalk', 'dotenv', 'ora', 'preact', 'yargs', 'zod'];
/** Parts of a rule set's own files. */
const CONTAINED = [
  ['node-forge', 'Digital Bazaar'],
  ['lodash', 'jQuery Foundation'],
  ['escape-string-regexp', 'Sindre Sorhus'],
  ['@textlint/regexp-string-matcher', 'azu'],
] as const;
const NATIVE = ['@photostructure/sqlite', 'onnxruntime-node', 'sqlite-vec'];

it('ships the notice of every package in the bundles, and of native packages', () => {
  const text = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
  const sections = text.split(`\n${'-'.repeat(80)}\n`).slice(1);
  const names = sections.map((section) => section.slice(0, section.indexOf(' ', 1)));
  expect(names).toEqual(expect.arrayContaining([...BUNDLED, ...NATIVE]));
  for (const [name, holder] of CONTAINED) {
    const section = sections.find((one) => one.startsWith(`${name} `));
    expect(section).toContain(holder);
    expect(section).toMatch(/permission is hereby granted|redistribution and use/i);
  }
  expect(new Set(sections).size).toBe(sections.length);
  for (const section of sections) expect(section).toMatch(/copyright|permission|licen[cs]e/i);
});

it('fails for a package with an unknown licence, or without the text of its licence', () => {
  const write = (license: string, files: string[]) => () =>
    writeNotices({ name: 'leftover', license }, files);
  expect(write('GPL-3.0', ['LICENSE'])).toThrow('leftover has the licence GPL-3.0');
  expect(write('MIT', [])).toThrow('leftover has no licence text');
  expect(write('MIT', ['LICENSE'])()).toContain('leftover 1.0.0: MIT');
});

it('fails for a package inside another whose notice is unknown', () => {
  const map = JSON.stringify({ sources: ['../node_modules/.pnpm/leftpad@1/node_modules/leftpad/index.js'] });
  const write = () => writeNotices({ name: 'leftover', license: 'MIT' }, ['LICENSE'], map);
  expect(write).toThrow('leftpad is contained in another package');
});

/** The notices for a bundle with one package. */
function writeNotices(manifest: { name: string; license: string }, files: string[], map?: string): string {
  const folder = tempFolder('licenses');
  const home = join(folder, 'node_modules', manifest.name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }));
  for (const file of files) writeFileSync(join(home, file), 'Permission is granted');
  if (map !== undefined) writeFileSync(join(home, 'index.js.map'), map);
  const bundle = { inputs: {}, outputs: { 'out.js': outputOf(`${home}/index.js`) } };
  writeThirdPartyLicenses(join(folder, 'notices'), [bundle], []);
  return readFileSync(join(folder, 'notices'), 'utf8');
}

function outputOf(input: string) {
  return { bytes: 1, inputs: { [input]: { bytesInOutput: 1 } }, imports: [], exports: [] };
}
