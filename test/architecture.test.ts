import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** What each room may import from, besides itself. */
const ALLOWED: Record<string, string[]> = {
  domain: [],
  ports: ['domain'],
  app: ['ports', 'domain'],
  adapters: ['ports', 'domain'],
  compose: ['adapters', 'app', 'ports', 'domain', 'config'],
  config: ['domain'],
  library: ['compose', 'app', 'ports', 'domain', 'config'],
  cli: ['compose', 'app', 'ports', 'domain', 'config', 'mcp', 'hook'],
  mcp: ['compose', 'app', 'ports', 'domain', 'config'],
  // Loads three adapters that use nothing but Node: it must start fast, so it is composed by itself.
  hook: ['adapters', 'domain'],
  program: ['hook', 'cli'],
};

describe('the layers', () => {
  const files = sourceFiles();

  it('contains only imports that point inwards', () => {
    const wrong = files.flatMap((file) =>
      localImports(file)
        .filter(
          (target) => roomOf(target) !== roomOf(file) && !ALLOWED[roomOf(file)]?.includes(roomOf(target)),
        )
        .map((target) => `${name(file)} -> ${name(target)}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the domain free of input and output', () => {
    const wrong = files
      .filter((file) => roomOf(file) === 'domain')
      .filter((file) =>
        /from 'node:(?!crypto)|\bfetch\(|process\.(?:env|stdout|stderr|cwd)/.test(readFileSync(file, 'utf8')),
      );
    expect(wrong.map(name)).toEqual([]);
  });

  it('reads the environment and the home folder in config/ alone, and for hooks, which load no configuration', () => {
    const wrong = files
      .filter((file) => !name(file).startsWith('config/') && !['bin.ts', 'hook/hook.ts'].includes(name(file)))
      // Setting a variable for a library is not reading one.
      .filter((file) => /process\.env\b(?!\.\w+ = )|\bhomedir\(/.test(withoutComments(file)));
    expect(wrong.map(name)).toEqual([]);
  });

  it('never calls process.exit', () => {
    expect(files.filter((file) => /process\.exit\(/.test(withoutComments(file))).map(name)).toEqual([]);
  });

  it('has no file that needs a table of contents', () => {
    const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 301);
    expect(long.map(name)).toEqual([]);
  });

  it('loads nothing but Node itself in the hook, however deep', () => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const target of localImports(file, { types: false })) visit(target);
    };
    visit(join(SRC, 'hook/hook.ts'));
    const foreign = [...reached].flatMap((file) =>
      packageImports(file).map((target) => `${name(file)} -> ${target}`),
    );
    expect(foreign.filter((line) => !line.includes('-> node:'))).toEqual([]);
    expect(foreign.filter((line) => line.includes('sqlite'))).toEqual([]);
  });
});

function sourceFiles(folder = SRC): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function imports(file: string, types = true): string[] {
  const whole = withoutComments(file);
  const text = types ? whole : whole.replace(/^(?:import|export) type [^;]*;/gm, '');
  const found = text.matchAll(/(?:from|import\()\s*'([^']+)'|^import '([^']+)'/gm);
  return [...found].map((match) => match[1] ?? match[2] ?? '');
}

function localImports(file: string, { types = true } = {}): string[] {
  return imports(file, types)
    .filter((target) => target.startsWith('.') && target.endsWith('.ts'))
    .map((target) => resolve(dirname(file), target));
}

function packageImports(file: string): string[] {
  return imports(file).filter((target) => !target.startsWith('.'));
}

function roomOf(file: string): string {
  const [first = '', second] = relative(SRC, file).split(sep);
  if (second !== undefined) return first;
  return first === 'bin.ts' ? 'program' : 'library';
}

function withoutComments(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

function name(file: string): string {
  return relative(SRC, file).split(sep).join('/');
}
