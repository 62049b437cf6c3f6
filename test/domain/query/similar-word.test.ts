import { describe, expect, it } from 'vitest';
import { respelled } from '../../../src/domain/query/respelled.ts';
import { similarWord } from '../../../src/domain/query/similar-word.ts';

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
    expect(similarWord(word, vocabulary)).toBe(similar);
  });

  it.each(['report', 'kubernetes', 'imp', 'reprt1234', 'imxxct'])('is not found for %s', (word) => {
    expect(similarWord(word, vocabulary)).toBeNull();
  });

  it('prefers the more frequent of two that are as near', () => {
    expect(
      similarWord(
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
    expect(respelled('Impct of the impct-report', words)).toBe('impact of the impact-report');
    expect(respelled('impact', [{ word: 'impact' }])).toBeNull();
  });
});
