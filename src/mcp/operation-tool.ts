import * as z from 'zod';
import { openOperations } from '../compose/operations.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { Caller } from '../operations/caller.ts';
import type { Field, Fields, Given } from '../operations/fields.ts';
import type { Open } from '../operations/open.ts';
import { type Operation, perform } from '../operations/operation.ts';
import { openStore } from './open-store.ts';
import { fieldSchema, schemaOf } from './schema-of.ts';
import { FILTER_NAMES, FILTER_WORDS, filterSchemas } from './schemas.ts';
import { type Answer, type Call, defineTool, type Tool, type ToolSpecification } from './tool.ts';

export interface Narrower {
  min?: number;
  max?: number;
  required?: true;
}

/** How a tool says the fields of its operation. Its words are written by hand, because a model reads them. */
export interface ToolWording<F extends Fields> {
  /** Fields that the tool does not offer. */
  without?: (keyof F & string)[];
  /** Fields that are called otherwise. */
  names?: Partial<Record<keyof F, string>>;
  about?: Partial<Record<keyof F, string>>;
  /** Narrower limits: a model reads the whole answer. */
  narrow?: Partial<Record<keyof F, Narrower>>;
  defaults?: Partial<Record<keyof F, unknown>>;
}

type Specification<O extends z.ZodObject> = Pick<
  ToolSpecification<z.ZodObject, O>,
  'name' | 'title' | 'description' | 'output' | 'annotations' | 'meta'
>;

interface ToolRow<F extends Fields, Found, O extends z.ZodObject> extends Specification<O>, ToolWording<F> {
  operation: Operation<F, Found>;
  /** The answer in both forms. */
  answer(found: Found, call: Call, input: Given<F>): Answer<z.input<O>> | Promise<Answer<z.input<O>>>;
}

/** A tool that performs one operation. */
export function operationTool<F extends Fields, Found, O extends z.ZodObject>(
  row: ToolRow<F, Found, O>,
): Tool {
  const { operation, answer, name, title, description, output, annotations, meta } = row;
  return defineTool({
    name,
    title,
    description,
    output,
    annotations,
    meta,
    also: acceptedNames(operation.fields, row),
    input: z.strictObject(inputShape(operation.fields, row)),
    async run(args, call) {
      const { open, caller } = openCall(call, operation.fields, row);
      const input = await inputOf(operation.fields, row, args, call);
      return answer(await perform(operation, open, input, caller), call, input);
    },
  });
}

/** The schemas of an operation's fields, by the tool's names. */
export function inputShape<F extends Fields>(fields: F, row: ToolWording<F>): Record<string, z.ZodType> {
  const offered = Object.entries(fields).filter(([name]) => row.without?.includes(name) !== true);
  const shape = offered.map(([name, field]) => {
    const narrowed = { ...field, ...row.narrow?.[name] } as Field;
    const schema = filterSchemas[name] ?? schemaOf(narrowed);
    const standard = row.defaults?.[name] ?? ('default' in field ? field.default : undefined);
    const about = row.about?.[name] ?? FILTER_WORDS[name] ?? null;
    return [
      nameOf(name, row),
      fieldSchema(schema, { required: narrowed.required === true, standard, about }),
    ];
  });
  const scope = Object.hasOwn(fields, 'repo') ? { scope: filterSchemas.scope?.optional() } : {};
  return { ...Object.fromEntries(shape), ...scope } as Record<string, z.ZodType>;
}

/** What a tool got, by the operation's names. */
export async function inputOf<F extends Fields>(
  fields: F,
  row: ToolWording<F>,
  args: Record<string, unknown>,
  call: Call,
): Promise<Given<F>> {
  const offered = Object.keys(fields).filter((name) => row.without?.includes(name) !== true);
  const input = Object.fromEntries(offered.map((name) => [name, args[nameOf(name, row)]]));
  if (args.scope !== 'project')
    return { ...input, repo: args.scope === 'all' ? undefined : input.repo } as unknown as Given<F>;
  const project = input.repo ?? (await call.project());
  if (project === null)
    throw new SmartForkError('USAGE', 'the project is unknown', {
      hint: 'Give project_path, the absolute path of the project, or scope: all.',
    });
  return { ...input, repo: project } as unknown as Given<F>;
}

/** What an operation works with in a call, and who asks. */
export function openCall<F extends Fields>(
  call: Call,
  fields: F,
  row: ToolWording<F> = {},
): { open: Open; caller: Caller } {
  const { parts, running, project, workingDirectory, log, signal } = call;
  return {
    open: openOperations(parts, { store: () => openStore(call) }),
    caller: {
      running,
      mayBeUnknown: true,
      project,
      directory: workingDirectory,
      nameOf: (field) => (Object.hasOwn(fields, field) ? nameOf(field, row) : field),
      tell: log,
      signal,
    },
  };
}

function nameOf<F extends Fields>(field: string, { names }: ToolWording<F>): string {
  return names?.[field] ?? FILTER_NAMES[field] ?? field;
}

/** Other names of texts that are accepted without being listed: `q` for `query`. */
export function acceptedNames<F extends Fields>(fields: F, row: ToolWording<F>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.type === 'text' && field.also !== undefined
        ? [
            [field.also, nameOf(name, row)],
            [name, nameOf(name, row)],
          ]
        : [],
    ),
  );
}
