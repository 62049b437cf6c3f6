import type { CommandModule, Options } from 'yargs';
import * as z from 'zod';
import { type CommandName, loadCommand } from '../../../src/cli/commands.ts';
import { createApp } from '../../../src/http/app.ts';
import type { HttpDependencies } from '../../../src/http/context.ts';
import { OPTIONAL_TOOLS, TOOLS } from '../../../src/mcp/tools/all-tools.ts';
import { OPERATIONS } from '../../../src/operations/all-operations.ts';
import type { Fields } from '../../../src/operations/fields.ts';

/** A field as a door offers it. What a door does not say is absent. */
export interface Offered {
  type: string;
  values?: string[];
  min?: number;
  max?: number;
  default?: unknown;
}

/** The fields that a command takes, by their names on the command line without dashes. */
export async function fieldsOfCommand(name: CommandName): Promise<Map<string, Offered>> {
  const { builder, command } = (await loadCommand(name)) as CommandModule;
  const found = new Map<string, Offered>();
  const recorder: unknown = new Proxy(
    {},
    {
      get: (_, method) => (option: string, settings: Options) => {
        if (method === 'positional') found.set(option, positionalOf(String(command), option, settings));
        if (method === 'option') found.set(option, optionOf(settings));
        return recorder;
      },
    },
  );
  if (typeof builder === 'function') builder(recorder as never);
  return found;
}

function positionalOf(command: string, name: string, settings: Options): Offered {
  return { type: command.includes(`${name}..`) ? 'words' : 'text', values: settings.choices as string[] };
}

function optionOf(settings: Options & { number?: boolean }): Offered {
  const { type, choices, coerce, default: standard } = settings;
  if (settings.number !== true)
    return {
      type: type === 'boolean' ? 'flag' : 'text',
      values: choices?.map(String),
      default: standard,
    };
  const accepts = (value: number) => {
    try {
      coerce?.(String(value));
      return true;
    } catch {
      return false;
    }
  };
  const said = /\(default ([\d.]+)/.exec(settings.describe ?? '')?.[1];
  return {
    type: 'number',
    min: accepts(-HUGE) ? undefined : LIMITS.find(accepts),
    max: accepts(HUGE) ? undefined : LIMITS.findLast(accepts),
    default: standard ?? (said === undefined ? undefined : Number(said)),
  };
}

const HUGE = 1e9;
/** Numbers that may be limits: those of all fields, and some beside them. */
const LIMITS = [
  ...new Set([
    ...[-1, 0, 1, 2, 1_000_000],
    ...Object.values(OPERATIONS as Record<string, { fields: Fields }>).flatMap(({ fields }) =>
      Object.values(fields).flatMap((field) =>
        field.type === 'number'
          ? [field.min ?? 0, field.max ?? 0].flatMap((one) => [one - 1, one, one + 1])
          : [],
      ),
    ),
  ]),
].sort((a, b) => a - b);

/** The fields that a tool takes. */
export function fieldsOfTool(name: string): Map<string, Offered> {
  const tools = [...TOOLS, ...OPTIONAL_TOOLS.map(({ tool }) => tool)];
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const schema = z.toJSONSchema(tool.input, { io: 'input' }) as unknown as Schema;
  return new Map(Object.entries(schema.properties ?? {}).map(([field, of]) => [field, offeredBy(of)]));
}

interface Schema {
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  anyOf?: Schema[];
}

function offeredBy(schema: Schema): Offered {
  const { items, minimum, maximum, default: standard } = schema;
  // A number in an address may be missing.
  const [type] = [schema.type ?? []].flat();
  if (type === 'array') return { ...offeredBy(items ?? {}), type: 'list' };
  const values = schema.enum;
  if (values?.includes('true')) return { type: 'flag', default: standard };
  if (type === 'integer' || type === 'number')
    return {
      type: 'number',
      min: minimum === -Number.MAX_SAFE_INTEGER ? undefined : minimum,
      max: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum,
      default: standard,
    };
  return { type: type === 'boolean' ? 'flag' : 'text', values, default: standard };
}

/** The fields that a route takes, in its path, its query and its body: `GET /api/v1/search`. */
export async function fieldsOfRoute(route: string): Promise<Map<string, Offered>> {
  const [method = '', path = ''] = route.toLowerCase().split(' ');
  const { paths } = await document();
  const { parameters = [], requestBody } = paths[path]?.[method] ?? {};
  const body = requestBody?.content['application/json'].schema.properties ?? {};
  return new Map([
    ...parameters.map(({ name, schema }): [string, Offered] => [name, offeredBy(schema)]),
    ...Object.entries(body).map(([name, schema]): [string, Offered] => [name, offeredBy(schema)]),
  ]);
}

interface Described {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name: string; schema: Schema }[];
        requestBody?: { content: { 'application/json': { schema: Schema } } };
      }
    >
  >;
}

let described: Promise<Described> | null = null;

/** The interface describes itself without being started. */
function document(): Promise<Described> {
  const login = { check: () => true } as unknown as HttpDependencies['login'];
  const deps = { version: '0', login, isOurHost: () => true, pageFolder: '', log: () => undefined };
  described ??= Promise.resolve(
    createApp(deps as unknown as HttpDependencies).getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: '', version: '0' },
    }) as unknown as Described,
  );
  return described;
}
