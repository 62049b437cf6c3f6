import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { HttpProblem } from '../problem.ts';
import { wantsPage } from '../security/guard.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Serves the built page: its files by name, and its document at every path without a dot. */
export function addPage(app: OpenAPIHono, folder: string): void {
  app.get('*', async (c, next) => {
    if (!wantsPage(c)) return next();
    const { path } = c.req;
    const name = path.includes('.') ? path.slice(1) : 'index.html';
    // Only names that exist in the folder, so that no path can lead out of it.
    if (!filesIn(folder).includes(name)) throw missing(name);
    const isNamedByContent = name.startsWith('assets/');
    return c.body(new Uint8Array(readFileSync(join(folder, name))), 200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
  });
}

/** File paths relative to the folder, with `/`. */
function filesIn(folder: string, prefix = ''): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = prefix + entry.name;
    if (entry.isDirectory()) return filesIn(join(folder, entry.name), `${name}/`);
    return entry.isFile() ? [name] : [];
  });
}

function missing(name: string): HttpProblem {
  return name === 'index.html'
    ? new HttpProblem(404, 'NO_PAGE', 'the page is not built', 'Run npm run build.')
    : new HttpProblem(404, 'NOT_FOUND', 'no such file');
}
