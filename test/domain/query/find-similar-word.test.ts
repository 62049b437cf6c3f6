import { describe, expect, it } from 'vitest';
import { findSimilarWord } from '../../../src/domain/query/find-similar-word.ts';
import { respellQuery } from '../../../src/domain/query/respell-query.ts';

describe('a word that is spelled almost alike', () => {
  const vocabulary = new Map([
    ['evaluation', 9],
    ['remediation', 4],
    ['impact', 2],
    ['report', 7],
    ['import', 1],
    ['cards', 1],
  ]);

  it.each([
    ['remediatoin', 'remediation'],
    ['Evalution', 'evaluation'],
    ['impct', 'impact'],
    // As near to import, which is rarer.
    ['iport', 'import'],
    ['repport', 'report'],
    ['card', 'cards'],
  ])('is found for %s', (word, similar) => {
    expect(findSimilarWord(word, vocabulary)).toBe(similar);
  });

  it.each(['report', 'kubernetes', 'imp', 'reprt1234', 'imxxct'])('is not found for %s', (word) => {
    expect(findSimilarWord(word, vocabulary)).toBeNull();
  });

  it('prefers the more frequent of two that are as near', () => {
    expect(
      findSimilarWord(
        'inport',
        new Map([
          ['import', 1],
          ['inform', 1],
          ['inports', 5],
        ]),
      ),
    ).toBe('inports');
  });

  it('replaces the words of a query, whatever their case', () => {
    const words = [{ word: 'impct', similar: 'impact' }, { word: 'of' }];
    expect(respellQuery('Impct of the impct-report', words)).toBe('impact of the impact-report');
    expect(respellQuery('impact', [{ word: 'impact' }])).toBeNull();
  });
});
