import type {
  ElicitRequestFormParams,
  ElicitResult,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Limit } from '../app/search/limit-store.ts';
import type { Parts } from '../compose/parts.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { Notice } from '../domain/search-result.ts';
import { OUR_WORDS, schemaProblems } from '../domain/text/schema-problems.ts';

export interface McpDependencies {
  parts: Parts;
  version: string;
  workingDirectory: string;
  /** Started by an agent's plugin, which provides the skills. */
  fromPlugin: boolean;
  /** Whether `workingDirectory` is the project. It is not for a plugin's server or over HTTP. */
  inProject: boolean;
  /** Logs to stderr, because stdout belongs to the protocol. */
  log(message: string): void;
}

/** With what a client may see. */
export interface LimitedDependencies extends McpDependencies {
  /** The repository whose sessions alone the client may see (`search.scope`); null for all. */
  limit(): Promise<Limit | null>;
}

/** What a tool can use while answering a call. */
export interface Call extends LimitedDependencies {
  /** Aborted when the client cancels the call. */
  signal: AbortSignal;
  /** Reports progress of a long call, if the client asked for it. */
  progress(message: string, done: number, total?: number): void;
  /** Asks the user to fill in a form; null if the client does not support forms. */
  ask: ((form: ElicitRequestFormParams) => Promise<ElicitResult>) | null;
  /** What to type to continue a session in the running conversation. */
  inSessionCommand(sessionId: string): string;
  /** The ids of the calling conversation, most precise first; empty if unknown. */
  running: string[];
  /** The agent's project; null if unknown. */
  project(): Promise<string | null>;
}

/** The same answer in two forms, because a client shows its model one or the other. */
export interface Answer<T> {
  structured: T;
  text: string;
  /** What the answer lacks, and why. */
  notices?: Notice[];
  /** Nothing could be done: the answer only says what to do. */
  failed?: boolean;
}

export interface ToolSpecification<I extends z.ZodObject, O extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: I;
  /** Other names that are accepted, with the name of the field that they stand for. */
  also?: Record<string, string>;
  /** Fields that are accepted without being listed, because they are rare and every conversation pays for the list. */
  unlisted?: readonly string[];
  output: O;
  annotations: ToolAnnotations;
  meta?: Record<string, unknown>;
  run(args: z.output<I>, call: Call): Promise<Answer<z.input<O>>>;
}

/** A tool that checks its input before it runs. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  meta?: Record<string, unknown>;
  input: z.ZodObject;
  unlisted?: readonly string[];
  output: z.ZodObject;
  /** @throws SmartForkError USAGE for invalid input, and the tool's own errors */
  run(input: unknown, call: Call): Promise<Answer<Record<string, unknown>>>;
}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  specification: ToolSpecification<I, O>,
): Tool {
  const notices = z.array(z.string()).optional();
  return {
    ...specification,
    output: specification.output.extend({ notices }),
    async run(input, call) {
      const checked = specification.input.safeParse(renamed(input ?? {}, specification.also), OUR_WORDS);
      if (!checked.success) throw badInput(specification.name, checked.error);
      return specification.run(checked.data, call);
    },
  };
}

/** Replaces other accepted names. */
function renamed(input: unknown, also: Record<string, string> = {}): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const own = Object.hasOwn(also, name) ? also[name] : undefined;
      return [own === undefined || Object.hasOwn(input, own) ? name : own, value];
    }),
  );
}

function badInput(tool: string, error: z.ZodError): SmartForkError {
  return new SmartForkError('USAGE', `${tool} got invalid arguments: ${schemaProblems(error)}`, {
    hint: `The input schema of ${tool} describes each field.`,
  });
}
