import * as z from 'zod';
import { openOperations } from '../compose/operations.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { Caller } from '../operations/caller.ts';
import type { Fields, Given } from '../operations/fields.ts';
import type { Open } from '../operations/open.ts';
import { type Operation, perform } from '../operations/operation.ts';
import { type OfferedField, offeredFields, type Wording } from '../operations/wording.ts';
import { openStore } from './open-store.ts';
import { fieldSchema, schemaOf } from './schema-of.ts';
import { FILTER_NAMES, FILTER_WORDS, filterSchemas } from './schemas.ts';
import { type Answer, type Call, defineTool, type Tool, type ToolSpecification } from './tool.ts';

type Specification<O extends z.ZodObject> = Pick<
  ToolSpecification<z.ZodObject, O>,
  'name' | 'title' | 'description' | 'output' | 'annotations' | 'meta' | 'unlisted'
>;

interface ToolRow<F extends Fields, Found, O extends z.ZodObject> extends Specification<O>, Wording<F> {
  operation: Operation<F, Found>;
  /** The answer in both forms. */
  answer(found: Found, call: Call, input: Given<F>): Answer<z.input<O>> | Promise<Answer<z.input<O>>>;
}

/** A tool that performs one operation. */
export function operationTool<F extends Fields, Found, O extends z.ZodObject>(
  row: ToolRow<F, Found, O>,
): Tool {
  const { operation, answer, name, title, description, output, annotations, meta, unlisted } = row;
  return defineTool({
    name,
    title,
    description,
    output,
    annotations: { ...annotations, readOnlyHint: operation.effect === 'reads' },
    meta,
    unlisted,
    also: acceptedNames(operation.fields, row),
    input: z.strictObject(inputShape(operation.fields, row)),
    async run(args, call) {
      const { open, caller } = openCall(call, operation.fields, row);
      const input = await inputOf(operation.fields, row, args, call);
      const found = await perform(operation, open, input, caller);
      return { ...(await answer(found, call, input)), notices: found.notices };
    },
  });
}

/** The schemas of an operation's fields, by the tool's names. Words for a model are written by hand: a field without any is bare. */
export function inputShape<F extends Fields>(fields: F, row: Wording<F>): Record<string, z.ZodType> {
  const shape = offered(fields, row).map(({ own, name, field, standard, about }) => {
    const schema = filterSchemas[own] ?? schemaOf(field);
    const required = field.required === true;
    return [name, fieldSchema(schema, { required, standard, about: about ?? FILTER_WORDS[own] ?? null })];
  });
  const scope = Object.hasOwn(fields, 'repo') ? { scope: filterSchemas.scope?.optional() } : {};
  return { ...Object.fromEntries(shape), ...scope };
}

/** What a tool got, by the operation's names. `scope` says which repository is meant. */
export async function inputOf<F extends Fields>(
  fields: F,
  row: Wording<F>,
  args: Record<string, unknown>,
  call: Call,
): Promise<Given<F>> {
  const input = Object.fromEntries(offered(fields, row).map(({ own, name }) => [own, args[name]]));
  if (args.scope === 'all') input.repo = undefined;
  if (args.scope === 'project') input.repo ??= await projectOf(call);
  return input as Given<F>;
}

async function projectOf(call: Call): Promise<string> {
  const project = await call.project();
  if (project !== null) return project;
  throw new SmartForkError('USAGE', 'the project is unknown', {
    hint: 'Give project_path, the absolute path of the project, or scope: all.',
  });
}

function offered<F extends Fields>(fields: F, row: Wording<F>): OfferedField[] {
  return offeredFields(fields, row, (field) => FILTER_NAMES[field] ?? field);
}

/** What an operation works with in a call, and who asks. */
export function openCall<F extends Fields>(
  call: Call,
  fields: F,
  row: Wording<F> = {},
): { open: Open; caller: Caller } {
  const { parts, running, project, limit, workingDirectory, log, signal } = call;
  return {
    open: openOperations(parts, { store: () => openStore(call), limit }),
    caller: {
      running,
      mayBeUnknown: true,
      project,
      directory: workingDirectory,
      nameOf: (field) => offered(fields, row).find(({ own }) => own === field)?.name ?? field,
      tell: log,
      signal,
    },
  };
}

/** Other names of texts that are accepted without being listed: `q` for `query`. */
export function acceptedNames<F extends Fields>(fields: F, row: Wording<F>): Record<string, string> {
  return Object.fromEntries(
    offered(fields, row).flatMap(({ own, name, field }) =>
      field.type === 'text' && field.also !== undefined
        ? [
            [field.also, name],
            [own, name],
          ]
        : [],
    ),
  );
}
