import type {
  ElicitRequestFormParams,
  ElicitResult,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Parts } from '../compose/parts.ts';
import { SmartForkError } from '../domain/errors.ts';

export interface McpDependencies {
  parts: Parts;
  version: string;
  workingDirectory: string;
  /** Started by an agent's plugin from the plugin's own folder, which says nothing of the project. */
  fromPlugin: boolean;
  /** Goes to stderr: stdout belongs to the protocol. */
  log(message: string): void;
}

/** What a tool can do while it answers one call. */
export interface Call extends McpDependencies {
  /** Aborted when the client cancels the call. */
  signal: AbortSignal;
  /** Tells the client how far a long call is; free where it did not ask for that. */
  progress(message: string, done: number, total?: number): void;
  /** Asks the user for the fields of a form; null where the client has no forms. */
  ask: ((form: ElicitRequestFormParams) => Promise<ElicitResult>) | null;
  /** What the user types to go on from a session in the running conversation. */
  inSessionCommand(sessionId: string): string;
  /** The project that the agent works on; null when nobody says. */
  project(): Promise<string | null>;
}

/** The same answer twice: clients show their model either the one or the other. */
export interface Answer<T> {
  structured: T;
  text: string;
}

interface ToolSpecification<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  output: O;
  annotations: ToolAnnotations;
  meta?: Record<string, unknown>;
  run(args: z.output<I>, call: Call): Promise<Answer<z.input<O>>>;
}

/** A tool whose input has been checked before it runs. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  meta?: Record<string, unknown>;
  input: z.ZodObject;
  output: z.ZodObject;
  /** @throws SmartForkError USAGE for input that does not fit the schema, and whatever the tool throws */
  run(input: unknown, call: Call): Promise<Answer<Record<string, unknown>>>;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  specification: ToolSpecification<I, O>,
): Tool {
  const notices = z
    .array(z.string())
    .optional()
    .describe('where the answer comes from, if not from everywhere');
  return {
    ...specification,
    output: specification.output.extend({ notices }),
    async run(input, call) {
      const checked = specification.input.safeParse(input ?? {});
      if (!checked.success) throw badInput(specification.name, checked.error);
      return specification.run(checked.data, call);
    },
  };
}

function badInput(tool: string, error: z.ZodError): SmartForkError {
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return new SmartForkError('USAGE', `${tool} was called with wrong arguments: ${problems.join('; ')}`, {
    hint: `The input schema of ${tool} says what each field may be.`,
  });
}
