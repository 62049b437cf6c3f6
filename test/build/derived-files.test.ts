import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { derivedFiles, leftovers } from '../../build/derive.js';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

// `npm run derive` writes the files.
describe('files that repeat what stands elsewhere', () => {
  it.each(Object.entries(derivedFiles()))('keeps %s up to date', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('keeps no skill or hook in the plugin whose original is gone', () => {
    expect(leftovers()).toEqual([]);
  });
});

/** What the MCP registry requires of server.json: the parts of its schema of 2025-12-11 that concern a package on npm. */
const SERVER_SCHEMA = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'packages'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^\\d' },
    websiteUrl: { type: 'string', pattern: '^https://' },
    repository: {
      type: 'object',
      required: ['url', 'source'],
      additionalProperties: false,
      properties: { url: { type: 'string', pattern: '^https://' }, source: { type: 'string' } },
    },
    packages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'transport'],
        additionalProperties: false,
        properties: {
          registryType: { const: 'npm' },
          registryBaseUrl: { type: 'string', pattern: '^https://' },
          identifier: { type: 'string' },
          version: { type: 'string', minLength: 1, not: { const: 'latest' } },
          runtimeHint: { type: 'string' },
          transport: { type: 'object', required: ['type'], properties: { type: { const: 'stdio' } } },
          packageArguments: {
            type: 'array',
            items: {
              type: 'object',
              required: ['type', 'value'],
              properties: { type: { const: 'positional' }, value: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};

describe('the manifests', () => {
  it('describes the MCP server as its registry requires', () => {
    const validate = new Ajv({ allErrors: true }).compile(SERVER_SCHEMA);
    validate(read('server.json'));
    expect(validate.errors).toBeNull();
    // The registry looks the name up in the package, to know that both have one owner.
    expect(read('server.json').name).toBe(read('package.json').mcpName);
  });

  it('pins every dependency to one version', () => {
    for (const path of ['package.json', 'runtime/package.json']) {
      const { dependencies, optionalDependencies, devDependencies } = read(path);
      const versions = Object.values({ ...dependencies, ...optionalDependencies, ...devDependencies });
      for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});
