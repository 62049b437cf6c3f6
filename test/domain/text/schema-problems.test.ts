import { expect, it } from 'vitest';
import * as z from 'zod';
import { OUR_WORDS, schemaProblems } from '../../../src/domain/text/schema-problems.ts';

const schema = z.strictObject({
  name: z.string().min(1),
  limit: z.number().int().min(1).max(50).optional(),
  seats: z.number().max(4, { error: 'at most 4 seats' }).optional(),
  tags: z.array(z.string()).max(2).optional(),
  mode: z.enum(['keyword', 'dense']).optional(),
});

it.each([
  [undefined, 'expected an object, found nothing'],
  [{ name: '' }, 'name: expected text, found ""'],
  [{ name: 'a', limit: 99 }, 'limit: expected at most 50, found 99'],
  [{ name: 'a', limit: 1.5 }, 'limit: expected a whole number, found 1.5'],
  [{ name: 'a', tags: ['a', 'b', 'c'] }, 'tags: expected at most 2 values, found ["a","b","c"]'],
  [{ name: 'a', mode: 'x' }, 'mode: expected keyword or dense, found "x"'],
  [{ name: 'a', seats: 9 }, 'seats: at most 4 seats'],
  [{ name: 'a', other: 1 }, 'unknown: other'],
])('describes in our own words what is wrong with %j', (value, text) => {
  const { error } = schema.safeParse(value, OUR_WORDS);
  expect(schemaProblems(error as z.ZodError)).toBe(text);
});
