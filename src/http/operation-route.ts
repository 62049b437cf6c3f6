import * as z from 'zod';
import { openOperations } from '../compose/operations.ts';
import { fieldSchema, numberSchema, schemaOf } from '../mcp/schema-of.ts';
import type { Caller } from '../operations/caller.ts';
import type { Field, Fields, Given } from '../operations/fields.ts';
import { type Operation, perform } from '../operations/operation.ts';
import { offeredFields, type Wording } from '../operations/wording.ts';
import { openStore, type RequestContext } from './context.ts';
import { defineRoute, type Route } from './route.ts';

interface RouteRow<F extends Fields, Found, O> extends Wording<F> {
  operation: Operation<F, Found>;
  method: 'get' | 'post' | 'put';
  /** Fields in braces are parameters of the path; the others are the query's, or the body's. */
  path: string;
  /** Default: the operation's. */
  summary?: string;
  tag: string;
  output: O;
  /** Completes the answer. */
  answer?(found: Found, open: RequestContext): unknown;
}

/** A route that performs one operation. */
export function operationRoute<F extends Fields, Found, O extends z.ZodType | { allOf: object[] }>(
  row: RouteRow<F, Found, O>,
): Route {
  const { operation, method, path, tag, summary = capital(operation.summary), output } = row;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inBody = method !== 'get';
  const shape = shapeOf(operation.fields, row, inBody);
  const params = z.object(Object.fromEntries(inPath.map((name) => [name, shape[name] ?? z.string()])));
  const rest = Object.fromEntries(Object.entries(shape).filter(([name]) => !inPath.includes(name)));
  return defineRoute({
    method,
    path,
    summary,
    tag,
    params: inPath.length === 0 ? undefined : params,
    query: inBody ? undefined : withEither(z.object(rest), operation.fields, row),
    body: inBody ? withEither(z.strictObject(rest), operation.fields, row) : undefined,
    output,
    async run({ params: named, query, body }, open) {
      const input = inputOf(operation.fields, row, { ...query, ...body, ...named });
      const found = await perform(operation, operationsOf(open), input, {
        ...callerOf(row),
        isTyping: open.fromPage,
      });
      return (row.answer?.(found, open) ?? found) as never;
    },
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function shapeOf<F extends Fields>(fields: F, row: Wording<F>, inBody: boolean): Record<string, z.ZodType> {
  const shape = offeredFields(fields, row).flatMap(({ own, name, field, standard, about }) => {
    const { also } = field.type === 'text' ? field : {};
    // A field with two names is required by either of them.
    const required = field.required === true && also === undefined;
    const schema = fieldSchema(inBody ? schemaOf(field) : queryOf(field), {
      required,
      standard,
      about: about ?? field.about,
    });
    return [name, ...(also === undefined ? [] : [own, also])].map((one): [string, z.ZodType] => [
      one,
      schema,
    ]);
  });
  return Object.fromEntries(shape);
}

/** Requires one of the two names of a required field. */
function withEither<F extends Fields>(schema: z.ZodObject, fields: F, row: Wording<F>): z.ZodObject {
  const either = offeredFields(fields, row).flatMap(({ name, field }) =>
    field.type === 'text' && field.also !== undefined && field.required === true
      ? [{ name, also: field.also }]
      : [],
  );
  return schema.superRefine((given, { addIssue }) => {
    for (const { name, also } of either)
      if (given[name] === undefined && given[also] === undefined)
        addIssue({ code: 'custom', path: [also], message: 'expected text, found nothing' });
  });
}

/** The schema of a field in a query string, in which everything is text. */
function queryOf(field: Field): z.ZodType {
  if (field.type === 'flag') return FLAG;
  if (field.type === 'number')
    return numberSchema(field.whole === true ? z.coerce.number().int() : z.coerce.number(), field);
  if (field.type !== 'list') return schemaOf(field);
  return z.preprocess((value) => (typeof value === 'string' ? [value] : value), schemaOf(field));
}

const FLAG = z
  .enum(['', '0', '1', 'false', 'true'])
  .transform((value) => value === '' || value === '1' || value === 'true');

/** By the operation's names. `perform` knows the other names that a field accepts. */
function inputOf<F extends Fields>(fields: F, row: Wording<F>, args: Record<string, unknown>): Given<F> {
  const own = new Map(offeredFields(fields, row).map(({ own: field, name }) => [name, field]));
  const input = Object.entries(args).map(([name, value]) => [own.get(name) ?? name, value]);
  return Object.fromEntries(input) as Given<F>;
}

/** What operations work with in a request. */
export function operationsOf(open: RequestContext) {
  return openOperations(open.parts, {
    store: () => openStore(open),
    cache: open.cache,
    fork: () => open.fork.dependencies(),
  });
}

/** A request comes from a page or a program, in the folder in which the server was started. */
export function callerOf<F extends Fields>({
  names,
}: {
  names?: Partial<Record<keyof F, string>>;
} = {}): Caller {
  const directory = process.cwd();
  return {
    running: [],
    mayBeUnknown: false,
    project: async () => directory,
    directory,
    nameOf: (field) => names?.[field] ?? field,
    // If the server does not answer now, the worker sends it later.
    tell: () => undefined,
  };
}
