import { readFileSync, writeFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { build } from 'esbuild';

const FROM = 'src/page';

/**
 * Bundles the browser page into a folder. File names contain a hash, so that browsers can cache them permanently; the document refers
 * to them. Returns esbuild's result.
 */
export async function buildPage(to) {
  const result = await build({
    entryPoints: [`${FROM}/main.tsx`, `${FROM}/style/main.css`, `${FROM}/icon.svg`],
    outdir: to,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17.2'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    minify: true,
    // The libraries' warnings.
    drop: ['console'],
    legalComments: 'external',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  });
  const assets = Object.keys(result.metafile.outputs).map((file) => relative(to, file));
  const document = readFileSync(`${FROM}/index.html`, 'utf8').replace(
    /\/assets\/(\w+)\.(\w+)/g,
    (_, name, type) => {
      const found = assets.find((file) => basename(file).startsWith(`${name}-`) && file.endsWith(`.${type}`));
      if (found === undefined) throw new Error(`the page has no ${name}.${type}`);
      return `/${found}`;
    },
  );
  writeFileSync(`${to}/index.html`, document);
  return result;
}
