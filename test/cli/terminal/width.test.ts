import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import { displayWidth, padEnd, padStart, truncate, wrap } from '../../../src/cli/terminal/width.ts';
import { sanitize } from '../../../src/domain/text/sanitize.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { randomText } from '../../support/random-text.ts';

describe('displayWidth', () => {
  it('counts wide characters and emoji as two', () => {
    expect(displayWidth('日本')).toBe(4);
    expect(displayWidth('👩‍👩‍👧‍👦')).toBe(2);
    expect(displayWidth('e\u0301')).toBe(1);
  });

  it('agrees with string-width on every character, even on the fast path', () => {
    for (let code = 0x20; code < 0x2800; code++) {
      if (code >= 0x7f && code < 0xa0) continue;
      const pair = `a${String.fromCodePoint(code)}b`;
      expect(displayWidth(pair), code.toString(16)).toBe(stringWidth(pair));
    }
  });
});

describe('truncate', () => {
  it('does not truncate text that fits', () => expect(truncate('hello', 5, '…')).toBe('hello'));
  it('truncates with an ellipsis', () => expect(truncate('hello world', 8, '…')).toBe('hello w…'));
  it('accounts for the width of a longer ellipsis', () =>
    expect(truncate('hello world', 8, '...')).toBe('hello...'));
  it('does not split a wide character', () => expect(truncate('日本語', 4, '…')).toBe('日…'));
  it('does not split an emoji sequence', () =>
    expect(truncate('a👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4, '…')).toBe('a👩‍👩‍👧‍👦…'));
  it('truncates to one column without an ellipsis', () => expect(truncate('hello', 1, '…')).toBe('h'));
});

describe('pad', () => {
  it('pads by columns', () => {
    expect(padEnd('日本', 6)).toBe('日本  ');
    expect(padStart('日本', 6)).toBe('  日本');
    expect(padEnd('too long', 3)).toBe('too long');
  });
});

describe('wrap', () => {
  it('takes linear time over a long word', () => {
    const timeOf = (length: number) => {
      const word = 'x'.repeat(length);
      return cpuTime(() => wrap(word, 80));
    };
    timeOf(1_000_000);
    expect(timeOf(16_000_000)).toBeLessThan(8 * Math.max(timeOf(4_000_000), 50));
  });

  it('wraps between words', () => {
    expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  });

  it('fills a line to its last column', () => {
    expect(wrap('12345 67890 1', 11)).toEqual(['12345 67890', '1']);
    expect(wrap('1234567890', 10)).toEqual(['1234567890']);
  });

  it('breaks a word that is wider than a line', () => {
    expect(wrap('see abcdefghijkl now', 5)).toEqual(['see', 'abcde', 'fghij', 'kl', 'now']);
  });

  it('keeps the indentation of code', () => {
    expect(wrap('    return first + second;', 18)).toEqual(['    return first +', '    second;']);
  });

  it('keeps empty lines when wrapping', () => expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']));

  it('breaks text without spaces', () => {
    expect(wrap('日本語日本語', 4)).toEqual(['日本', '語日', '本語']);
  });

  it('does not break an emoji when wrapping', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(wrap(family.repeat(3), 4)).toEqual([family + family, family]);
  });

  it('does not break an emoji anywhere in a long text', () => {
    const family = '👩‍👩‍👧‍👦';
    const lines = wrap(`x${family.repeat(700)}`, 4);
    expect(lines.slice(1, -1).every((line) => line === family + family)).toBe(true);
    expect(lines.join('')).toBe(`x${family.repeat(700)}`);
  });

  it('never exceeds the width when wrapping, and loses no character', () => {
    for (let seed = 0; seed < 150; seed++) {
      const text = sanitize(randomText(seed));
      for (const width of [8, 17, 40, 80]) {
        const lines = wrap(text, width);
        for (const line of lines) expect(displayWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(width);
        const bare = (of: string) => of.replace(/\s/g, '').normalize();
        expect(bare(lines.join(''))).toBe(bare(text));
      }
    }
  });

  it('wraps a megabyte on one line quickly', () => {
    const started = performance.now();
    wrap('the quick brown fox jumps over the lazy dog '.repeat(25_000), 80);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
