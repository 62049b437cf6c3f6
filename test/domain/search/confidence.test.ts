import { describe, expect, it } from 'vitest';
import {
  confidence,
  coverage,
  idf,
  RECOMMENDED_FROM,
  weighWords,
} from '../../../src/domain/search/confidence.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { makeSnippet } from '../../../src/domain/search/snippet.ts';
import { rounds } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';

const tokenizer = createLexicalTokenizer();

describe('confidence', () => {
  it('computes confidence as the fitted logistic function of coverage and gap', () => {
    expect(confidence(1, 0)).toBeCloseTo(1 / (1 + Math.exp(-0.18)), 10);
    expect(confidence(0.6, 0.4)).toBeCloseTo(1 / (1 + Math.exp(-(2.88 + 2.428 - 4.62))), 10);
    expect(confidence(1, 0.5)).toBeGreaterThan(0.9);
  });

  it('gives no high confidence to the only session with one of the words', () => {
    expect(confidence(0, 1)).toBe(0);
    expect(confidence(0.4, 0.95)).toBeLessThan(RECOMMENDED_FROM);
    expect(confidence(0.3, 0.4)).toBeCloseTo(1 / (1 + Math.exp(-(1.44 + 2.428 - 4.62))) / 2, 10);
  });

  it('weights words by inverse document frequency: unknown most, stop words not at all', () => {
    const weights = weighWords(tokenizer.words('the retry zebra'), 100, new Map([['~retri', 20]]));
    expect([...weights.keys()]).toEqual(['~retri', '~zebra']);
    expect(weights.get('~retri')).toBeCloseTo(Math.log(1 + 80.5 / 20.5), 10);
    expect(weights.get('~zebra')).toBeCloseTo(idf(100, 0), 10);
  });

  it('gives a query of nothing but stop words no weight', () => {
    expect([...weighWords(tokenizer.words('what is it'), 10, new Map())]).toEqual([]);
  });

  it('measures coverage by the best text alone', () => {
    const stems = new Map([
      ['~retri', 1],
      ['~socket', 3],
    ]);
    expect(coverage(['we retried', 'a socket'], stems, tokenizer)).toBe(0.75);
    expect(coverage(['retry the socket'], stems, tokenizer)).toBe(1);
    expect(coverage(['retrySocket()'], stems, tokenizer)).toBe(1);
    expect(coverage([], stems, tokenizer)).toBe(0);
    expect(coverage(['anything'], new Map(), tokenizer)).toBe(0);
  });
});

describe('snippets', () => {
  const stems = (query: string) => new Map(tokenizer.words(query).map(({ stem }) => [stem, 1]));

  it('cuts the snippet that covers most of the query, with its words marked', () => {
    const text = `${'filler words here. '.repeat(60)}Then the websocket reconnects with backoff. ${'more filler. '.repeat(60)}`;
    const snippet = makeSnippet(text, stems('reconnect websocket'), tokenizer);
    const marked = snippet.ranges.map(([start, end]) => snippet.text.slice(start, end));
    expect(marked).toEqual(['websocket', 'reconnects']);
    expect(snippet.text).toMatch(/^… .* …$/);
    expect(snippet.text.length).toBeLessThan(300);
  });

  it('cuts the beginning when the text has no word of the query', () => {
    const snippet = makeSnippet('USER: Please help\nASSISTANT: Yes', stems('zebra'), tokenizer);
    expect(snippet).toEqual({ text: 'Please help Yes', ranges: [] });
  });

  it('marks whole words in order, inside the text and without overlap', () => {
    const random = seededRandom(2);
    const vocabulary = [
      'retry',
      'retries',
      'maxRetryCount',
      'socket',
      '連接',
      'naïve',
      '🙂',
      'lorem',
      'ipsum.',
      '\n',
    ];
    for (let count = 0; count < rounds({ quick: 80, slow: 1000 }); count += 1) {
      const text = Array.from({ length: random(300) }, () => vocabulary[random(vocabulary.length)]).join(' ');
      const { text: shown, ranges } = makeSnippet(text, stems('retry max count socket naive'), tokenizer);
      expect(shown).not.toMatch(/[\n\t]/);
      let last = 0;
      for (const [start, end] of ranges) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(['retry', 'retries', 'maxRetryCount', 'socket', 'naïve']).toContain(shown.slice(start, end));
        last = end;
      }
    }
  });
});
