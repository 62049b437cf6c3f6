import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).split('\n').filter(Boolean);

describe('documents', () => {
  it.each(DOCUMENTS.filter((file) => !file.startsWith('changelog/')))('%s links to what exists', (file) => {
    expect(brokenLinks(file, dirname(file))).toEqual([]);
  });

  // They are folded into docs/changelog.md, and link from there.
  it.each(DOCUMENTS.filter((file) => file.startsWith('changelog/')))('%s links to what exists', (file) => {
    expect(brokenLinks(file, 'docs')).toEqual([]);
  });

  it('every page is in the index', () => {
    const index = readFileSync('docs/README.md', 'utf8');
    const pages = DOCUMENTS.filter((file) => /^docs\/(internals\/)?[a-z-]+\.md$/.test(file));
    expect(pages.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
  });
});

function brokenLinks(file: string, folder: string): string[] {
  const text = withoutCode(readFileSync(file, 'utf8'));
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(folder, path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && statSync(target).isFile() && !anchorsOf(target).includes(anchor);
  });
}

/** As GitHub makes them of headings. */
function anchorsOf(file: string): string[] {
  const headings = withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}
