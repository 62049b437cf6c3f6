import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../src/domain/agent/agents.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** What each layer may import besides itself. */
const LAYERS: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  app: ['ports', 'domain'],
  adapters: ['ports', 'domain'],
  operations: ['app', 'ports', 'domain'],
  compose: ['operations', 'adapters', 'app', 'ports', 'domain', 'config'],
  config: ['domain'],
  'index.ts': ['operations', 'compose', 'app', 'ports', 'domain', 'config'],
  cli: ['operations', 'compose', 'app', 'ports', 'domain', 'config', 'mcp', 'http', 'hook'],
  http: ['mcp', 'operations', 'compose', 'app', 'ports', 'domain', 'config'],
  // The browser page: the domain's types, and its functions of text.
  page: ['domain'],
  mcp: ['operations', 'compose', 'app', 'ports', 'domain', 'config'],
  // The hook wires up its own three adapters, because loading compose would slow down every answer of an agent.
  hook: ['adapters', 'domain'],
  'bin.ts': ['hook', 'cli'],
};
/** The table that loads the commands, one of which completes the others. */
const COMMAND_TABLE = 'cli/commands.ts';

const files = sourceFiles(SRC);
const imports = new Map(files.map((file) => [file, localImports(file)]));

describe('the source tree', () => {
  it('has nothing but bin.ts and index.ts at the root of the source tree', () => {
    expect(files.filter((file) => dirname(file) === SRC).map(name)).toEqual(['bin.ts', 'index.ts']);
  });

  it('mirrors the source tree in the tests', () => {
    const folders = ['domain', 'app', 'adapters', 'cli', 'mcp', 'http', 'config', 'hook', 'compose']
      .filter((layer) => existsSync(join(ROOT, 'test', layer)))
      .flatMap((layer) => [
        layer,
        ...subfolders(join(ROOT, 'test', layer)).map((inner) => join(layer, inner)),
      ]);
    expect(folders.filter((folder) => !existsSync(join(SRC, folder)))).toEqual([]);
  });
});

describe('imports', () => {
  it('imports only inwards from layer to layer', () => {
    const wrong = arrows().filter(([from, to]) => {
      const [layer, target] = [layerOf(from), layerOf(to)];
      return layer !== target && LAYERS[layer]?.includes(target) !== true;
    });
    expect(wrong.map(([from, to]) => `${name(from)} -> ${name(to)}`)).toEqual([]);
  });

  it('has no import cycles between files', () => {
    expect(circles(imports).map((circle) => circle.map(name).join(' -> '))).toEqual([]);
  });

  it('imports from folder to folder of a layer only where docs/internals/architecture.md lists the arrow', () => {
    const between = folderArrows().filter((arrow) => !arrow.includes('.ts'));
    expect(between).toEqual(listedArrows());
  });

  it('has no import cycles between the folders of a layer, and the files beside them', () => {
    const graph = new Map<string, string[]>();
    for (const [from = '', to = ''] of folderArrows().map((arrow) => arrow.split(' -> ')))
      if (from !== COMMAND_TABLE) graph.set(from, [...(graph.get(from) ?? []), to]);
    expect(circles(graph)).toEqual([]);
  });
});

describe('the rules of a layer', () => {
  it('keeps the domain free of I/O', () => {
    const wrong = files
      .filter((file) => layerOf(file) === 'domain')
      .filter((file) =>
        /from 'node:(?!crypto)|\bfetch\(|process\.(?:env|stdout|stderr|cwd)/.test(readFileSync(file, 'utf8')),
      );
    expect(wrong.map(name)).toEqual([]);
  });

  it('reads the environment and the home folder only in config/, and in the hook, which loads no configuration', () => {
    const wrong = files
      .filter((file) => !name(file).startsWith('config/') && !['bin.ts', 'hook/hook.ts'].includes(name(file)))
      // Setting a variable for a library does not count as reading it.
      .filter((file) => /process\.env\b(?!\.\w+ = )|\bhomedir\(/.test(withoutComments(file)));
    expect(wrong.map(name)).toEqual([]);
  });

  it('tells agents apart only in their rows, in tables and in their adapters', () => {
    const agent = `'(?:${AGENTS.join('|')})'`;
    const branch = new RegExp(`\\bagent [!=]==? '|[!=]==? ${agent}|${agent} [!=]==? |\\bcase ${agent}`);
    const wrong = files
      .filter((file) => !AGENTS.some((one) => name(file).startsWith(`adapters/${one}/`)))
      .filter((file) => branch.test(withoutComments(file)));
    expect(wrong.map(name)).toEqual([]);
  });

  it('imports nothing from the domain into the page but types, and functions of text that import nothing', () => {
    const values = (file: string) => localImports(file, { types: false });
    const mayLoad = (target: string) =>
      layerOf(target) === 'page' || (/^domain\/text\//.test(name(target)) && values(target).length === 0);
    const wrong = files.filter((file) => layerOf(file) === 'page' && !values(file).every(mayLoad));
    expect(wrong.map(name)).toEqual([]);
  });

  it('sets HTML in the page in one function only', () => {
    const setters =
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|srcdoc|parseFromString/;
    const found = files.filter((file) => layerOf(file) === 'page' && setters.test(withoutComments(file)));
    expect(found.map(name)).toEqual(['page/markdown/render-markdown.ts']);
  });

  it('calls process.exit only in a thread, which alone ends by it', () => {
    const found = files.filter((file) => /process\.exit\(/.test(withoutComments(file)));
    expect(found.map(name)).toEqual(['http/worker/stop-signal.ts']);
  });

  it('loads only Node’s own modules in the hook, directly and indirectly', () => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const target of localImports(file, { types: false })) visit(target);
    };
    visit(join(SRC, 'hook/hook.ts'));
    const packages = [...reached].flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('.'))
        .map((target) => `${name(file)} -> ${target}`),
    );
    expect(packages.filter((line) => !line.includes('-> node:') || line.includes('sqlite'))).toEqual([]);
  });
});

function arrows(): [from: string, to: string][] {
  return [...imports].flatMap(([from, targets]) => targets.map((to): [string, string] => [from, to]));
}

/** Arrows inside a layer in the form `app/fork -> app/read`, each once, in order. */
function folderArrows(): string[] {
  const found = arrows().flatMap(([from, to]) => {
    const [one, other] = [folderOf(from), folderOf(to)];
    return one !== other && layerOf(from) === layerOf(to) ? [`${one} -> ${other}`] : [];
  });
  return [...new Set(found)].sort();
}

/** The block under "Imports between folders": `app/fork -> archive, read`. */
function listedArrows(): string[] {
  const document = readFileSync(join(ROOT, 'docs/internals/architecture.md'), 'utf8');
  const block = /## Imports between folders[^`]*```\w*\n([\s\S]*?)```/.exec(document)?.[1] ?? '';
  const listed = block.split('\n').flatMap((line) => {
    const [from = '', to = ''] = line.split('->').map((side) => side.trim());
    const layer = from.split('/')[0];
    return to === '' ? [] : to.split(/,\s*/).map((target) => `${from} -> ${layer}/${target}`);
  });
  return listed.sort();
}

/** For example `app/fork`; a file in a layer's own folder stands for itself: `compose/parts.ts`. */
function folderOf(file: string): string {
  return name(file).split('/').slice(0, 2).join('/');
}

/** The strongly connected components with more than one member (Tarjan, 1972). */
function circles(graph: Map<string, string[]>): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    let lowest = order.get(node) ?? 0;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next) ?? lowest);
    }
    if (lowest !== order.get(node)) return lowest;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) found.push(component);
    return lowest;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return isSource(entry.name) ? [path] : [];
  });
}

function isSource(file: string): boolean {
  return /\.tsx?$/.test(file);
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? [entry.name, ...subfolders(join(folder, entry.name)).map((inner) => join(entry.name, inner))]
      : [],
  );
}

function localImports(file: string, { types = true } = {}): string[] {
  return importsOf(file, types)
    .filter((target) => target.startsWith('.') && isSource(target))
    .map((target) => resolve(dirname(file), target));
}

function importsOf(file: string, types = true): string[] {
  const whole = withoutComments(file);
  const text = types ? whole : whole.replace(/^(?:import|export) type [^;]*;/gm, '');
  const found = text.matchAll(/(?:from|import\()\s*'([^']+)'|^import '([^']+)'/gm);
  return [...found].map((match) => match[1] ?? match[2] ?? '');
}

function layerOf(file: string): string {
  return relative(SRC, file).split(sep)[0] ?? '';
}

function withoutComments(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

function name(file: string): string {
  return relative(SRC, file).split(sep).join('/');
}
