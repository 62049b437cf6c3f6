import { describe, expect, it } from 'vitest';
import { searchLists, tokenStatistics } from '../../support/stores/ask-store.ts';
import { changeOf, growth, type Sample, tokensOf } from '../../support/transcripts/sample-sessions.ts';
import { type MakePlace, useStore } from './use-store.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };

export function describeTokens(make: MakePlace): void {
  describe('tokens', () => {
    const store = useStore(make);
    const find = (tokens: string[]) =>
      searchLists(store(), { tokens, vector: null, filter: {}, limits: LIMITS });

    it('counts the sessions and chunks that contain a token', async () => {
      const samples: Sample[] = Array.from({ length: 40 }, (_, index) => ({
        id: `s${index}`,
        chunks: [`common word${index % 4}`, index < 30 ? 'common again' : 'quiet'],
      }));
      await store().write(samples.map((sample) => changeOf(sample)));
      const statistics = await tokenStatistics(store(), [
        'common',
        'word1',
        '~again',
        'quiet',
        'nowhere',
        'common',
      ]);
      expect(statistics.sessionCount).toBe(40);
      expect(statistics.chunkCount).toBe(80);
      expect(statistics.sessionsWith).toEqual(
        new Map([
          ['common', 40],
          ['word1', 10],
          ['~again', 30],
          ['quiet', 10],
          ['nowhere', 0],
        ]),
      );
      expect(statistics.chunksWith).toEqual(
        new Map([
          ['common', 70],
          ['word1', 10],
          ['~again', 30],
          ['quiet', 10],
          ['nowhere', 0],
        ]),
      );
    });

    it('counts no tokens in an empty store', async () => {
      expect(await tokenStatistics(store(), ['a'])).toEqual({
        sessionCount: 0,
        chunkCount: 0,
        sessionsWith: new Map([['a', 0]]),
        chunksWith: new Map([['a', 0]]),
      });
      expect((await tokenStatistics(store(), [])).sessionsWith).toEqual(new Map());
    });

    it('stops counting deleted and replaced text', async () => {
      const before: Sample = { id: 's', chunks: ['alpha', 'beta'] };
      await store().write([changeOf(before), changeOf({ id: 't', chunks: ['alpha'] })]);
      const after: Sample = { id: 's', chunks: ['alpha', 'gamma'] };
      await store().write([{ ...growth(before, after), tokens: changeOf(after).tokens }]);
      await store().deleteSessions(['t']);
      const { sessionsWith, chunksWith } = await tokenStatistics(store(), ['alpha', 'beta', 'gamma']);
      expect([...sessionsWith.values()]).toEqual([1, 0, 1]);
      expect([...chunksWith.values()]).toEqual([1, 0, 1]);
    });

    it('treats every token as a keyword, never as syntax', async () => {
      await store().write([changeOf({ id: 's', chunks: ['plain words only'] })]);
      const odd = [
        '"',
        '""',
        "'",
        'a"b',
        '*',
        'plain*',
        'NEAR',
        'AND',
        'OR',
        'NOT',
        '(',
        ')',
        '-',
        ':',
        'tokens:plain',
        '^plain',
        '{',
        '',
        ' ',
        '\\',
        '%',
        '\0',
        'a\0b',
        '\ud800',
      ];
      for (const token of odd) {
        const lists = await find([token]);
        expect(lists.sessionsByWords, JSON.stringify(token)).toEqual([]);
        expect(lists.chunksByWords, JSON.stringify(token)).toEqual([]);
      }
      expect((await find([...odd, 'plain'])).sessionsByWords).toHaveLength(1);
      expect((await tokenStatistics(store(), odd)).sessionsWith.get('"')).toBe(0);
    });

    it('distinguishes tokens like the tokenizer', async () => {
      await store().write([changeOf({ id: 's', chunks: ['running parseQuery in snake_case_name'] })]);
      for (const token of [
        'running',
        '~run',
        'parsequery',
        'parse',
        'query',
        'snake_case_name',
        'snake',
        'run+parsequeri',
      ]) {
        expect((await find([token])).chunksByWords, token).toHaveLength(1);
      }
      for (const token of ['run', '~running', 'snake_case', 'snake+case', 'pars']) {
        expect((await find([token])).chunksByWords, token).toHaveLength(0);
      }
    });

    it('answers a query of 4,000 characters by its rarest tokens', async () => {
      await store().write([
        changeOf({ id: 's', chunks: ['the needle is here'] }),
        changeOf({ id: 't', chunks: ['hay'] }),
      ]);
      const text =
        `${Array.from({ length: 700 }, (_, index) => `w${index.toString(36)}`).join(' ')} needle`.slice(
          -4000,
        );
      const tokens = tokensOf(text);
      expect(tokens.length).toBeGreaterThan(1500);
      expect((await find(tokens)).sessionsByWords?.map(({ session_id }) => session_id)).toEqual(['s']);
      expect((await tokenStatistics(store(), tokens)).chunksWith.get('needle')).toBe(1);
    });
  });
}
