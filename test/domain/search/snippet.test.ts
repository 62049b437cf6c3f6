import { expect, it } from 'vitest';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { makeSnippet } from '../../../src/domain/search/snippet.ts';

const TEXT =
  'The hooks are still complaining about the folder that nobody cleaned up yesterday evening: we moved the prisma files into the git configuration of the worker, and then it was quiet again.';

it.each([40, 60, 100, 160])('shows the words of the query in a passage of %i characters', (length) => {
  const stems = new Map([
    ['~prisma', 2],
    ['~git', 1],
  ]);
  const { text, ranges } = makeSnippet(TEXT, stems, createLexicalTokenizer(), length);
  expect(ranges.map(([start, end]) => text.slice(start, end))).toContain('prisma');
  expect(text.length).toBeLessThanOrEqual(length + 4);
});
