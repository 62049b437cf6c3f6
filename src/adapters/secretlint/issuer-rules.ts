import type { Finding } from '../../domain/text/redaction.ts';
import { createSignFinder } from './find-signs.ts';
import { type IssuerRow, MARKED, PREFIXED, SHAPED } from './issuers.ts';
import { isWordy } from './looks-secret.ts';

interface Shape {
  rule: string;
  expression: RegExp;
}

/** What a text holds of issuers' tokens. */
interface OfIssuers {
  findings: Finding[];
  /** Whether a token may begin after an escape, whose last letter looks like a part of it. */
  isEscaped: boolean;
}

const BY_SIGN = shapesBySign(PREFIXED, 'y');
const BY_MARK = shapesBySign(MARKED, 'g');
const findSigns = createSignFinder([...BY_SIGN.keys(), ...BY_MARK.keys()]);
const SHAPES = SHAPED.map((row) => ({ sign: new RegExp(row[1]), shape: shapeOf(row, 'g') }));
const ANY_SHAPE = new RegExp(SHAPED.map(([, sign]) => sign).join('|'));
/** The shortest token. */
const LONG_ENOUGH = /[\w.~+/=%$!:|*-]{20}/;

/** Finds credentials by their issuers' shapes, in one pass over the text and one over each place where a shape can match. */
export function findByIssuer(text: string): OfIssuers {
  const found: OfIssuers = { findings: [], isEscaped: false };
  if (!LONG_ENOUGH.test(text)) return found;
  const anywhere = new Set<Shape>();
  findSigns(text, (sign, at) => {
    for (const shape of BY_MARK.get(sign) ?? []) anywhere.add(shape);
    const shapes = BY_SIGN.get(sign);
    if (shapes !== undefined) findAt(text, at, shapes, found);
  });
  if (ANY_SHAPE.test(text)) for (const { sign, shape } of SHAPES) if (sign.test(text)) anywhere.add(shape);
  found.isEscaped ||= anywhere.size > 0;
  for (const { rule, expression } of anywhere)
    for (const match of text.matchAll(expression)) add(found.findings, rule, match);
  return found;
}

function findAt(text: string, at: number, shapes: Shape[], found: OfIssuers): void {
  if (/\w/.test(text[at - 1] ?? '')) {
    found.isEscaped ||= isAfterEscape(text, at);
    return;
  }
  for (const { rule, expression } of shapes) {
    expression.lastIndex = at;
    const match = expression.exec(text);
    if (match !== null) add(found.findings, rule, match);
  }
}

/** Whether the characters before may be the end of an escape in JSON, in a URL or in a terminal's output. */
function isAfterEscape(text: string, at: number): boolean {
  return text[at - 2] === '\\' || text[at - 3] === '%' || text[at - 6] === '\\' || text[at - 1] === 'm';
}

function add(findings: Finding[], rule: string, { 0: token, 1: rest = '', index }: RegExpExecArray): void {
  if (looksGenerated(token, rest)) findings.push({ rule, start: index, end: index + token.length });
}

/** Rejects documentation examples, which repeat a letter, and names, which have few different letters or consist of words. */
function looksGenerated(token: string, rest: string): boolean {
  const isName = rest.length >= SHORTEST_NAME && isWordy(rest);
  return !isName && !/(.)\1{7}|[xX]{5}|EXAMPLE/.test(token) && new Set(token).size >= 10;
}

/** Some shapes end in a few digits. */
const SHORTEST_NAME = 8;

function shapesBySign(rows: readonly IssuerRow[], flag: 'y' | 'g'): Map<string, Shape[]> {
  const bySign = new Map<string, Shape[]>();
  for (const row of rows)
    for (const sign of row[1].split(' ')) bySign.set(sign, [...(bySign.get(sign) ?? []), shapeOf(row, flag)]);
  return bySign;
}

function shapeOf([rule, , prefix, rest]: IssuerRow, flag: 'y' | 'g'): Shape {
  // The rest is matched only once, as long as possible: trying shorter ones at each sign could take seconds.
  const before = prefix.startsWith('[?&]') ? '' : '(?<![A-Za-z0-9_])';
  const pattern = `${before}(?:${prefix})(?=(${rest}))\\1(?![A-Za-z0-9])`;
  return { rule, expression: new RegExp(pattern, flag) };
}
