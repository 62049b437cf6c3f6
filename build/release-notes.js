// Folds the changes in changelog/unreleased/ into docs/changelog.md for the version in package.json: `npm run release-notes`. Each change
// is a file of its own, so that two branches do not edit the same lines: a heading (`### Search`) and one or more items (`- …`).
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHANGELOG = 'docs/changelog.md';
const CHANGES = 'changelog/unreleased';

/**
 * The changelog with the changes under the heading of a version, which need not exist yet.
 * @param {string} changelog
 * @param {string[]} changes texts of change files
 * @param {{ version: string, date: string }} release
 */
export function foldChanges(changelog, changes, { version, date }) {
  const [title = '', ...releases] = changelog.split(/^(?=## )/m);
  const isThis = (text) => text.startsWith(`## ${version} `) || text.startsWith(`## ${version}\n`);
  const known = releases.find(isThis) ?? `## ${version}\n`;
  const [, ...rest] = known.split(/^(?=### )/m);
  const intro = known.slice(known.indexOf('\n'), known.length - rest.join('').length);
  const sections = new Map(rest.map((text) => [headingOf(text), text.trimEnd()]));
  for (const change of changes) {
    const { heading, items } = readChange(change);
    const before = sections.get(heading);
    sections.set(heading, before === undefined ? `${heading}\n\n${items}` : `${before}\n${items}`);
  }
  const body = [intro.trim(), ...sections.values()].filter((text) => text !== '').join('\n\n');
  const others = releases.filter((text) => !isThis(text));
  return `${[`${title.trimEnd()}\n\n## ${version} (${date})\n\n${body}`, ...others.map((text) => text.trimEnd())].join('\n\n')}\n`;
}

/** @throws if a change file has another form. */
export function readChange(text) {
  const [, heading, items] = /^(### \S.*)\n\n((?:- .+\n)+)$/.exec(text) ?? [];
  if (heading === undefined || items === undefined)
    throw new Error(`not a heading (### Search) and a list of changes (- …):\n${text}`);
  return { heading, items: items.trimEnd() };
}

/** The change files' names and texts. */
export function unreleased() {
  const names = readdirSync(CHANGES).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => ({ name, text: readFileSync(join(CHANGES, name), 'utf8') }));
}

function headingOf(section) {
  return section.slice(0, section.indexOf('\n'));
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const changes = unreleased();
  const texts = changes.map(({ text }) => text);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(CHANGELOG, foldChanges(readFileSync(CHANGELOG, 'utf8'), texts, { version, date }));
  for (const { name } of changes) rmSync(join(CHANGES, name));
  process.stdout.write(`${CHANGELOG}: ${version} (${date}), ${changes.length} changes added\n`);
}
