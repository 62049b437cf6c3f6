import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkRelease } from '../../build/check-release.js';
import { foldChanges, readChange, unreleased } from '../../build/release-notes.js';

const CHANGELOG = `# Changelog

## 0.2.0 (unreleased)

Index again after upgrading.

### Search

- Finds more.

### Agents

- Knows two.

## 0.1.0 (2026-01-02)

### Search

- Finds.
`;

it('adds changes to the sections of an unreleased version, and dates it', () => {
  const changes = ['### Search\n\n- Finds sooner.\n- Finds all.\n', '### Page\n\n- Opens.\n'];
  expect(foldChanges(CHANGELOG, changes, { version: '0.2.0', date: '2026-03-04' })).toBe(
    CHANGELOG.replace('(unreleased)', '(2026-03-04)')
      .replace('more.\n', 'more.\n- Finds sooner.\n- Finds all.\n')
      .replace('two.\n', 'two.\n\n### Page\n\n- Opens.\n'),
  );
});

it('puts a new version above the others', () => {
  const folded = foldChanges(CHANGELOG, ['### Search\n\n- Ends.\n'], {
    version: '0.3.0',
    date: '2026-05-06',
  });
  expect(folded).toBe(
    CHANGELOG.replace('## 0.2.0', '## 0.3.0 (2026-05-06)\n\n### Search\n\n- Ends.\n\n## 0.2.0'),
  );
});

it('keeps the changelog as it is without changes', () => {
  const text = readFileSync('docs/changelog.md', 'utf8');
  const [, version = '', date = ''] = /^## (\S+) \((.+)\)$/m.exec(text) ?? [];
  expect(foldChanges(text, [], { version, date })).toBe(text);
});

it.each(unreleased())('finds a heading and a list in changelog/unreleased/$name', ({ text }) => {
  expect(() => readChange(text)).not.toThrow();
});

it.each(['- No heading.\n', '### Search\n\nNo list.\n', '### Search\n- No line between.\n'])(
  'refuses a change of another form: %j',
  (text) => {
    expect(() => readChange(text)).toThrow('not a heading');
  },
);

it('finds what keeps a version from being released', () => {
  const repository = {
    manifest: { version: '0.2.0', config: { owner: 'somebody' } },
    changelog: CHANGELOG.replace('(unreleased)', '(2026-03-04)'),
    changes: 0,
  };
  const { problems, notes } = checkRelease('v0.2.0', repository);
  expect(problems).toEqual([]);
  expect(notes).toMatch(/^Index again after upgrading\.[\s\S]*- Knows two\.$/);
  const manifest = { version: '0.2.0', config: { owner: 'OWNER' } };
  expect(checkRelease('v0.2.1', { manifest, changelog: CHANGELOG, changes: 2 }).problems).toEqual([
    'the tag is v0.2.1, the version in package.json 0.2.0',
    'package.json does not name the owner (config.owner)',
    '2 changes are not in the changelog: npm run release-notes',
    'docs/changelog.md has no date for 0.2.0',
  ]);
});
