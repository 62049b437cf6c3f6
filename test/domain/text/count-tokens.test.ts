import { describe, expect, it } from 'vitest';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { createTokenCounter } from '../../../src/domain/text/count-tokens.ts';

const tokenizer = createLexicalTokenizer();

describe('counting some tokens', () => {
  it.each([
    ['fix the valve', 'Fixing valves: the valve was fixed. A prefix is no fix.'],
    ['user id', 'getUserId(user_id, USER_ID) did provide ids; userID, idUser, HTTPUser'],
    ['happy tests run', 'Happiness is when happily run tests ran; happy-tests RUN'],
    ['café 日本', 'Un cafe, deux cafés. CAFÉ! 日本語のテスト'],
    ['c++ node:sqlite a.b', 'node sqlite → node:sqlite, c++ and C, a.b'],
    ['api keys', 'a key, two keys, apiKey, KEY_OF_API'],
    ['probable ability', 'probability of abilities, probably able'],
    ['the', 'then the other, The THE theThe'],
    ['', 'anything'],
  ])('finds as many of "%s" as there are', (query, text) => {
    expect(createTokenCounter(tokenizer, tokenizer.tokens(query))(text)).toEqual(allCounts(query, text));
  });
});

function allCounts(query: string, text: string): Map<string, number> {
  const wanted = new Set(tokenizer.tokens(query));
  const counts = new Map<string, number>();
  for (const token of tokenizer.stream(text).split(' '))
    if (wanted.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}
