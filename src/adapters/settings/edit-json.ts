import { createScanner, type Node } from 'jsonc-parser';

// jsonc-parser's own `modify` reformats comments, and deletes some along with the values it removes. So only its scanner and
// its tree are used, and the text is edited directly.

/** Inserts an item at the end of an object or a list, on lines of its own. */
export function insertLast(text: string, container: Node, render: (style: JsonStyle) => string): string {
  const tokens = tokensOf(text);
  const closing = tokens.findIndex(({ end }) => end === container.offset + container.length);
  const close = at(tokens, closing);
  const before = at(tokens, closing - 1);
  const significant = previousSignificant(tokens, closing);
  const last = container.children?.at(-1);
  const trailingComma = significant.kind === KIND.comma;
  const { eol, unit } = styleOf(text);
  const outer = indentationAt(text, container.offset);
  const indent = outer + unit;
  const ownLine = /[\r\n]/.test(text.slice(before.end, close.start));
  const item = `${eol}${indent}${render({ eol, unit, indent })}${trailingComma ? ',' : ''}`;
  const head =
    last === undefined || trailingComma
      ? text.slice(0, before.end)
      : `${text.slice(0, significant.end)},${text.slice(significant.end, before.end)}`;
  return head + item + (ownLine ? '' : eol + outer) + text.slice(ownLine ? before.end : close.start);
}

/** Removes a property or a list element with its comma. Comments around it stay. */
export function removeItem(text: string, item: Node): string {
  const tokens = tokensOf(text);
  const first = tokens.findIndex(({ start }) => start === item.offset);
  const final = tokens.findIndex(({ end }) => end === item.offset + item.length);
  const before = at(tokens, first - 1);
  const after = tokens.slice(final + 1).find(isSignificant);
  const commaAfter = after?.kind === KIND.comma;
  const commaBefore = previousSignificant(tokens, first);
  const end = commaAfter && after === tokens[final + 1] ? after.end : at(tokens, final).end;
  let tail = text.slice(end);
  if (commaAfter && end !== after.end) tail = text.slice(end, after.start) + text.slice(after.end);
  if (before.kind === KIND.lineComment && !/^\s*?[\r\n]/.test(tail)) tail = styleOf(text).eol + tail;
  const lonely = !commaAfter && commaBefore.kind === KIND.comma;
  const head = lonely
    ? text.slice(0, commaBefore.start) + text.slice(commaBefore.end, before.end)
    : text.slice(0, before.end);
  return emptied(head, tail);
}

/** Replaces a value; the new one spans several lines if the old one did. */
export function replaceNode(text: string, node: Node, value: unknown): string {
  const end = node.offset + node.length;
  const spread = text.slice(node.offset, end).includes('\n');
  const style = { ...styleOf(text), indent: indentationAt(text, node.offset) };
  const rendered = spread ? renderJson(value, style) : JSON.stringify(value);
  return text.slice(0, node.offset) + rendered + text.slice(end);
}

interface JsonStyle {
  eol: string;
  unit: string;
  /** The indentation of the line being written. */
  indent: string;
}

/** Formats a value on several lines, in the style of the file. */
export function renderJson(value: unknown, { eol, unit, indent }: JsonStyle): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

/** jsonc-parser's token kinds: its const enum does not exist at run time. */
const KIND = {
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  unknown: 16,
  end: 17,
} as const;

interface Token {
  kind: number;
  start: number;
  end: number;
}

function tokensOf(text: string): Token[] {
  const scanner = createScanner(text, false);
  const tokens: Token[] = [];
  for (let kind: number = scanner.scan(); kind !== KIND.end; kind = scanner.scan()) {
    if (kind === KIND.space || kind === KIND.lineBreak) continue;
    const start = scanner.getTokenOffset();
    tokens.push({ kind, start, end: start + scanner.getTokenLength() });
  }
  return tokens;
}

function at(tokens: Token[], index: number): Token {
  return tokens[index] ?? { kind: KIND.unknown, start: 0, end: 0 };
}

function previousSignificant(tokens: Token[], index: number): Token {
  let before = index - 1;
  while (before > 0 && !isSignificant(at(tokens, before))) before -= 1;
  return at(tokens, before);
}

function isSignificant({ kind }: Token): boolean {
  return kind !== KIND.lineComment && kind !== KIND.blockComment;
}

/** Closes an empty container right where it opens. */
function emptied(head: string, tail: string): string {
  const pair = `${head.at(-1)}${tail.trimStart().charAt(0)}`;
  return pair === '{}' || pair === '[]' ? head + tail.trimStart() : head + tail;
}

function styleOf(text: string): { eol: string; unit: string } {
  const unit = /(?:^|\n)([ \t]+)["{[]/.exec(text)?.[1] ?? '  ';
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: unit.startsWith('\t') ? '\t' : unit };
}

function indentationAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '';
}
