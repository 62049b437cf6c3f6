import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface Expression {
  /** `src/file.ts:line` */
  place: string;
  source: string;
  flags: string;
  /** Whether it is searched for until the text ends: it has the flag `g`, or `split` is given it. */
  isRepeated: boolean;
}

/** A call of `new RegExp` in a file, by the positions of `new RegExp` in its text. */
export interface Construction {
  place: string;
  file: string;
  start: number;
  end: number;
}

/** Every literal regular expression in the source, and every place that makes one of a string. */
export function findExpressions(root: string): { expressions: Expression[]; constructions: Construction[] } {
  const expressions: Expression[] = [];
  const constructions: Construction[] = [];
  for (const file of sourceFiles(join(root, 'src'))) {
    const text = readFileSync(file, 'utf8');
    const placeOf = ({ start }: Node) =>
      `${relative(root, file).split(sep).join('/')}:${text.slice(0, start).split('\n').length}`;
    visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), null, (node, parent) => {
      if (node.type === 'Literal' && node.regex !== undefined) {
        const { pattern, flags } = node.regex;
        const isRepeated = flags.includes('g') || isSplit(parent);
        expressions.push({ place: placeOf(node), source: pattern, flags, isRepeated });
      }
      const { callee } = node;
      const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
      if (isCall && callee?.type === 'Identifier' && callee.name === 'RegExp')
        constructions.push({ place: placeOf(node), file, start: node.start, end: callee.end });
      if (isCall && PATTERN_METHODS.has(callee?.property?.name ?? '') && isString(node.arguments?.[0]))
        throw new Error(`${placeOf(node)}: ${callee?.property?.name} makes an expression of a string`);
    });
  }
  return { expressions, constructions };
}

/** Methods that take a string for an expression. */
const PATTERN_METHODS = new Set(['match', 'matchAll']);

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  value?: unknown;
  regex?: { pattern: string; flags: string };
  callee?: Node;
  property?: Node;
  arguments?: Node[];
}

function isString(node: Node | undefined): boolean {
  return node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node.value === 'string');
}

function isSplit(parent: Node | null): boolean {
  return parent?.type === 'CallExpression' && parent.callee?.property?.name === 'split';
}

function visit(node: unknown, parent: Node | null, seen: (node: Node, parent: Node | null) => void): void {
  if (typeof node !== 'object' || node === null) return;
  const self = 'type' in node && typeof node.type === 'string' ? (node as Node) : null;
  if (self !== null) seen(self, parent);
  for (const child of Object.values(node)) visit(child, self ?? parent, seen);
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
