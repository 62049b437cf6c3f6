import type { Tool as ToolListing } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Tool } from './tool.ts';

/** A tool as `tools/list` shows it. Clients keep the list in every conversation, so it has only what a model needs for a call. */
export function listTool(tool: Tool): ToolListing {
  const { name, title, description, input, unlisted = [], output, annotations, meta } = tool;
  const { properties = {}, ...taken } = jsonSchema(input, 'input', LIMITS);
  const listed = Object.entries(properties).filter(([field]) => !unlisted.includes(field));
  return {
    name,
    title,
    description,
    inputSchema: { ...taken, properties: Object.fromEntries(listed), additionalProperties: false },
    outputSchema: jsonSchema(output, 'output', [...LIMITS, 'required', 'enum', 'const']),
    annotations: { title, ...annotations },
    _meta: meta,
  };
}

/** Limits of texts and lists, which no model counts. A call is checked against them. */
const LIMITS = ['additionalProperties', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'] as const;
type Keyword = (typeof LIMITS)[number] | 'required' | 'enum' | 'const';

/** JSON Schema in the draft supported by every client's validator. */
function jsonSchema(
  schema: z.ZodObject,
  io: 'input' | 'output',
  leftOut: readonly Keyword[],
): ToolListing['inputSchema'] {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, {
    io,
    target: 'draft-7',
    override({ jsonSchema: part }) {
      for (const keyword of leftOut) delete part[keyword];
    },
  });
  return { ...whole, type: 'object' } as ToolListing['inputSchema'];
}
