import * as z from 'zod';
import type { Field, TextField } from '../operations/fields.ts';

/** The schema of a field's values. */
export function schemaOf(field: Field): z.ZodType {
  switch (field.type) {
    case 'text':
      return textSchema(field);
    case 'choice':
      return z.enum(field.values as [string, ...string[]]);
    case 'flag':
      return z.boolean();
    case 'number':
      return numberSchema(field.whole === true ? z.int() : z.number(), field);
    case 'list': {
      const { most, called } = field;
      const values = z.array(schemaOf(field.of)).max(most, called && `at most ${most} ${called}`);
      return field.least === undefined ? values : values.min(field.least);
    }
  }
}

function textSchema({ min: least, minFromPrograms: min = least, max, called }: TextField): z.ZodType {
  const value = z
    .string()
    .trim()
    .max(max, called && `${called} has more than ${max} characters`);
  return min === undefined ? value : value.min(min, called && `${called} is empty`);
}

/** @param schema of any number */
export function numberSchema<S extends z.ZodNumber | z.ZodCoercedNumber>(
  schema: S,
  { min, max }: { min?: number; max?: number },
): z.ZodType {
  const bounded = min === undefined ? schema : schema.min(min);
  return max === undefined ? bounded : bounded.max(max);
}

/** Makes a schema optional, or gives it its default, and describes it. */
export function fieldSchema(
  schema: z.ZodType,
  { required, standard, about }: { required: boolean; standard: unknown; about: string | null },
): z.ZodType {
  const complete = standard !== undefined ? schema.default(standard) : required ? schema : schema.optional();
  return about === null ? complete : complete.describe(about);
}
