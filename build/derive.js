// Writes the files that repeat what stands elsewhere: `npm run derive`. A test compares them.
// - plugin/skills and plugin/hooks are copies of skills/ and hooks/. Agents install a plugin by copying its folder: Codex leaves out
//   symbolic links, npm does not pack them, and Windows checks them out as text.
// - The manifests repeat package.json, in which `config.owner` names the account that owns the repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @returns {Record<string, string>} the texts by path */
export function derivedFiles() {
  const manifest = withLinks(readJson('package.json'));
  const { name, version, description, author, license, keywords, homepage, repository, mcpName } = manifest;
  const url = repository.url.replace(/^git\+|\.git$/g, '');
  const plugin = { version, description, author, homepage, repository: url, license, keywords };
  const files = {
    'package.json': manifest,
    'plugin/.claude-plugin/plugin.json': { ...readJson('plugin/.claude-plugin/plugin.json'), ...plugin },
    'plugin/.codex-plugin/plugin.json': { ...readJson('plugin/.codex-plugin/plugin.json'), ...plugin },
    '.claude-plugin/marketplace.json': { ...readJson('.claude-plugin/marketplace.json'), owner: author },
    'server.json': {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: mcpName,
      title: name,
      description,
      repository: { url, source: 'github' },
      websiteUrl: homepage,
      version,
      packages: [
        {
          registryType: 'npm',
          registryBaseUrl: 'https://registry.npmjs.org',
          identifier: name,
          version,
          runtimeHint: 'npx',
          transport: { type: 'stdio' },
          packageArguments: [{ type: 'positional', value: 'mcp' }],
        },
      ],
    },
  };
  const texts = Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]);
  return { ...Object.fromEntries(texts), ...copies() };
}

/** Files of plugin/skills and plugin/hooks whose original is gone. */
export function leftovers() {
  const expected = Object.keys(copies());
  return COPIED.flatMap((folder) => filesIn(`plugin/${folder}`)).filter((path) => !expected.includes(path));
}

const COPIED = ['skills', 'hooks'];

function copies() {
  const originals = COPIED.flatMap(filesIn);
  return Object.fromEntries(originals.map((path) => [`plugin/${path}`, readFileSync(path, 'utf8')]));
}

/** Paths with slashes, on Windows too. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'));
}

function withLinks(manifest) {
  const { name, author, config } = manifest;
  const home = `https://github.com/${config.owner}/${name}`;
  return {
    ...manifest,
    author: { ...author, url: `https://github.com/${config.owner}` },
    homepage: `${home}#readme`,
    repository: { type: 'git', url: `git+${home}.git` },
    bugs: { url: `${home}/issues` },
    mcpName: `io.github.${config.owner}/${name}`,
  };
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  for (const path of leftovers()) rmSync(path);
  for (const [path, text] of Object.entries(derivedFiles())) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
