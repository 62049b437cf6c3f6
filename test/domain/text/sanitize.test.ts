import { describe, expect, it } from 'vitest';
import { sanitize, sanitizeLine, sanitizeMarked } from '../../../src/domain/text/sanitize.ts';
import { randomText } from '../../support/random-text.ts';

const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;

describe('sanitize', () => {
  it.each([
    ['colours', 'a\x1b[31mred\x1b[0m', 'ared'],
    ['cursor moves and clearing', 'a\x1b[2J\x1b[1;1Hb', 'ab'],
    ['window titles', 'a\x1b]0;owned\x07b', 'ab'],
    ['hyperlinks', '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['clipboard writes', 'a\x1b]52;c;ZXZpbA==\x07b', 'ab'],
    ['device control strings', 'a\x1bP1;2|text\x1b\\b', 'ab'],
    ['single-byte controls', 'a\x9b31mred\x9d0;t\x9cb', 'aredb'],
    ['a control string without an end', 'a\x1b]0;no end', 'a0;no end'],
    ['a lone escape', 'a\x1b', 'a'],
    ['short escapes', 'a\x1bcb\x1b(Bc', 'abc'],
    ['bells, backspaces and nulls', 'a\x07\x08\x00\x7fb', 'ab'],
    ['reordering characters', 'a\u202eb\u2066c', 'abc'],
    ['hidden characters', 'a\u200bb\u00adc\u2063d\ufeff', 'abcd'],
    ['tags, which spell words that only a model reads', 'a\u{e0048}\u{e0069}b', 'ab'],
    ['direction marks', 'a\u200eb\u200fc\u061cd', 'abcd'],
    ['joiners between letters that they do not shape', 'a\u200db\u200cc', 'abc'],
    ['variation selectors behind letters', 'a\ufe0fb\ufe00c\u{e0100}d', 'abcd'],
    ['selectors behind digits that are no keycaps', '1\ufe0f2\ufe0e', '12'],
    ['a run of selectors behind an emoji', '😀\ufe0f\ufe0e\ufe0f', '😀\ufe0f'],
    ['a joiner without a second emoji', '👩\u200d\u200d👧 👩\u200dx', '👩👧 👩x'],
    ['blank letters', 'a\u115f\u1160b\u3164c\uffa0d', 'abcd'],
    ['broken surrogates', 'a\ud800b', 'a\ufffdb'],
    ['carriage returns', 'a\r\nb\rc', 'a\nb\nc'],
    ['line separators', 'a\u2028b\x85c', 'a\nb\nc'],
  ])('removes %s', (_name, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  it('keeps newlines, tabs, emoji and all scripts', () => {
    const text = 'a\tb\nc 日本語 👩‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️ 1️⃣ 🇩🇪 שלום é می‌خواهم क्‍ष';
    expect(sanitize(text)).toBe(text);
  });

  it('removes everything unsafe from any text', () => {
    for (let seed = 0; seed < 300; seed++) expect(sanitize(randomText(seed))).not.toMatch(UNSAFE);
  });

  it('forms no new escape sequence from the remaining text', () => {
    expect(sanitize('\x1b\x1b[31m[31mred')).not.toMatch(UNSAFE);
    expect(sanitize('\x1b\u202e[31mred')).not.toMatch(UNSAFE);
  });

  it('runs in time proportional to the text, however many escapes it opens', () => {
    const started = performance.now();
    for (const opener of ['\x1b]', '\x9d', '\x1b[', '\x1b[0', '\x1bP']) sanitize(opener.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('sanitizeLine', () => {
  it('joins text into one line', () => {
    expect(sanitizeLine('  a\n\n\tb \x1b[1m c ')).toBe('a b c');
  });
});

describe('sanitizeMarked', () => {
  it('moves marked ranges with their words', () => {
    const text = '  \x1b[31mone\x1b[0m\n\n   two\tthree ';
    const ranges = ['one', 'two', 'three'].map((word): [number, number] => [
      text.indexOf(word),
      text.indexOf(word) + word.length,
    ]);
    const marked = sanitizeMarked({ text, ranges });
    expect(marked.text).toBe('one two three');
    expect(marked.ranges.map(([start, end]) => marked.text.slice(start, end))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('handles ranges inside removed text', () => {
    const text = 'a \x1b]8;;token\x07token b';
    const at = text.indexOf('token');
    const marked = sanitizeMarked({ text, ranges: [[at, at + 5]] });
    expect(marked.text).toBe('a token b');
    for (const [start, end] of marked.ranges) expect(end).toBeGreaterThanOrEqual(start);
  });

  it('treats each character alike, whether or not anything else in the text is unsafe', () => {
    const differing: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      const text = `a${character}b`;
      if (sanitize(text) !== sanitize(`${text}\0`)) differing.push(code.toString(16));
      const marked = sanitizeMarked({ text, ranges: [] }).text;
      if (marked !== sanitizeMarked({ text: `${text}\0`, ranges: [] }).text)
        differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });
});
