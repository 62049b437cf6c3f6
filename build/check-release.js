// Checks that the repository can be released under a tag, and prints the release's notes: `node build/check-release.js v0.1.0`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unreleased } from './release-notes.js';

/**
 * @param {string} tag
 * @param {{ manifest: { version: string, config: { owner: string } }, changelog: string, changes: number }} repository
 * @returns {{ problems: string[], notes: string }}
 */
export function checkRelease(tag, { manifest, changelog, changes }) {
  const { version, config } = manifest;
  const section = changelog.split(/^(?=## )/m).find((text) => text.startsWith(`## ${version} (`)) ?? '';
  const [heading = '', ...notes] = section.split('\n');
  const problems = [];
  if (tag !== `v${version}`) problems.push(`the tag is ${tag}, the version in package.json ${version}`);
  if (config.owner === 'OWNER') problems.push('package.json does not name the owner (config.owner)');
  if (changes > 0) problems.push(`${changes} changes are not in the changelog: npm run release-notes`);
  if (!/\(\d{4}-\d\d-\d\d\)$/.test(heading)) problems.push(`docs/changelog.md has no date for ${version}`);
  return { problems, notes: notes.join('\n').trim() };
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const changelog = readFileSync('docs/changelog.md', 'utf8');
  const { problems, notes } = checkRelease(process.argv[2] ?? '', {
    manifest,
    changelog,
    changes: unreleased().length,
  });
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    process.exitCode = 1;
  } else process.stdout.write(`${notes}\n`);
}
