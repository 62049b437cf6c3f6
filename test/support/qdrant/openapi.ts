import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { readFact } from '../files/shared-facts.ts';

export type RequestCheck = (request: { method: string; path: string; body: unknown }) => string | null;

type Node = Record<string, unknown>;

/** Checks requests against Qdrant's API description; null if that is not available. */
export function openApiCheck(): RequestCheck | null {
  const text = readFact('qdrant-openapi-1.18.json');
  if (text === null) return null;
  const document = strict(JSON.parse(text)) as Node;
  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  for (const format of ['uint', 'uint8', 'uint16', 'uint32', 'uint64', 'int32', 'int64', 'float', 'double'])
    ajv.addFormat(format, true);
  ajv.addSchema(document, 'api');
  const checks = new Map<string, ValidateFunction>();
  // A literal path takes precedence over one with a placeholder.
  const templates = Object.keys(nodeOf(document.paths)).sort((a, b) => holes(a) - holes(b));

  return ({ method, path, body }) => {
    const [bare = '', query = ''] = path.split('?');
    const template = templates.find((one) => fits(one, bare)) ?? null;
    if (template === null) return `no such path: ${bare}`;
    const operation = nodeOf(nodeOf(nodeOf(document.paths)[template])[method.toLowerCase()]);
    if (Object.keys(operation).length === 0) return `no ${method} of ${template}`;
    const parameters = (operation.parameters as Node[] | undefined) ?? [];
    for (const name of new URLSearchParams(query).keys()) {
      if (!parameters.some((one) => one.name === name && one.in === 'query'))
        return `no parameter ${name} of ${template}`;
    }
    if (operation.requestBody === undefined)
      return body === null ? null : `no body is taken by ${method} ${template}`;
    const pointer = [
      'paths',
      template,
      method.toLowerCase(),
      'requestBody',
      'content',
      'application/json',
      'schema',
    ];
    const reference = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const check = checks.get(reference) ?? ajv.compile({ $ref: reference });
    checks.set(reference, check);
    return check(body) ? null : ajv.errorsText(check.errors?.slice(-3));
  };
}

function holes(template: string): number {
  return template.split('{').length;
}

function fits(template: string, path: string): boolean {
  const parts = template.split('/');
  const given = path.split('/');
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith('{') || part === given[at])
  );
}

/** Strict in the sense of OpenAPI: null only where allowed, and no unknown properties. */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Node = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strict(value)]));
  if (copy.nullable === true) {
    delete copy.nullable;
    if (Object.keys(copy).length === 0) return { type: 'null' };
    if (typeof copy.type === 'string') copy.type = [copy.type, 'null'];
  }
  if (
    copy.type === 'object' &&
    typeof copy.properties === 'object' &&
    copy.additionalProperties === undefined
  ) {
    copy.additionalProperties = false;
  }
  return copy;
}

function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}
