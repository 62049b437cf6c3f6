import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { SmartForkError } from '../../domain/errors.ts';

/** The root object of a settings file; comments and trailing commas are allowed. Throws CONFIG_INVALID for anything else. */
export function parseSettingsJson(text: string, path: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw refused(path, `is not valid JSON: ${printParseErrorCode(error.error)} in line ${line}`);
  }
  if (root?.type !== 'object') throw refused(path, 'is not a JSON object');
  return root;
}

/** A property's value. Refuses duplicate keys: programs disagree about which one counts. */
export function propertyOf(object: Node, key: string, path: string): Node | undefined {
  const found = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (found.length > 1) throw refused(path, `has "${key}" twice`);
  return found[0]?.children?.[1];
}

/** The same for a property that must be an object or a list, to contain our entries. */
export function containerOf(
  object: Node,
  key: string,
  kind: 'object' | 'array',
  path: string,
): Node | undefined {
  const value = propertyOf(object, key, path);
  if (value !== undefined && value.type !== kind) {
    throw refused(path, `"${key}" is not ${kind === 'array' ? 'a list' : 'an object'}`);
  }
  return value;
}

/** A file's JSON, without its byte order mark. An empty file counts as an empty object. */
export function bodyOf(text: string): string {
  const body = text.startsWith(BOM) ? text.slice(BOM.length) : text;
  return body.trim() === '' ? '{}' : body;
}

/** Applies an edit to a file's JSON. An empty file stays empty if nothing is added. */
export function editJson(text: string, edit: (body: string) => string): string {
  const body = bodyOf(text);
  const edited = edit(body);
  if (edited === body) return text;
  const mark = text.startsWith(BOM) ? BOM : '';
  return text.endsWith(body) ? mark + edited : `${mark}${edited}\n`;
}

/** Verifies that an edit changed only our entries, which `strip` removes from a file's value. */
export function checkEdit(
  before: string,
  after: string,
  path: string,
  strip: (value: unknown) => unknown,
): void {
  const [was, is] = [before, after].map((text) => strip(getNodeValue(parseSettingsJson(bodyOf(text), path))));
  if (!sameValue(was, is)) throw refused(path, 'cannot be edited without changing other entries');
}

export function refused(path: string, reason: string): SmartForkError {
  return new SmartForkError('CONFIG_INVALID', `${path} ${reason}; it was not changed`, {
    hint: 'Fix the file and run the command again, or edit it by hand: docs/hooks.md shows how.',
  });
}

/** Compares parsed values, ignoring prototypes: the parsers create objects without one. */
export function sameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}

const BOM = '\ufeff';
