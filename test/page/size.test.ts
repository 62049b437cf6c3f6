import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../dist/page');
const BUDGET = 108_000;

const assets = readdirSync(join(FOLDER, 'assets'));
const loaded = assets.filter((name) => !name.endsWith('.txt'));
const document = readFileSync(join(FOLDER, 'index.html'), 'utf8');

describe('the built page', () => {
  it('keeps the built page under 108 KB, compressed', () => {
    const sizes = loaded.map(
      (name) => gzipSync(readFileSync(join(FOLDER, 'assets', name)), { level: 9 }).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET);
  });

  it('has no script or style in the page’s document, and names its files by content', () => {
    expect(document).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/);
    const named = [...document.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(named.map((name) => name?.replace(/-\w{8}\./, '.'))).toEqual([
      '/assets/icon.svg',
      '/assets/main.css',
      '/assets/main.js',
    ]);
    expect(named.every((name) => assets.includes(name?.slice('/assets/'.length) ?? ''))).toBe(true);
  });
});
