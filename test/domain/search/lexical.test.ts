import { describe, expect, it } from 'vitest';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { rounds } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';

const tokenizer = createLexicalTokenizer();

describe('the token stream', () => {
  it('puts words that occur once first, and each of the others after its like', () => {
    expect(tokenizer.stream('pump valve pump seal pump')).toBe(
      'valve ~valv seal ~seal pump+valv valv+pump pump+seal seal+pump pump ~pump pump ~pump pump ~pump ',
    );
  });

  it('emits each word, its stem and bigrams of stems', () => {
    expect(tokenizer.stream('Parsing failed tests')).toBe(
      'parsing ~pars failed ~fail tests ~test pars+fail fail+test ',
    );
  });

  it('skips bigrams of two stop words', () => {
    const tokens = tokenizer.tokens('what is the error');
    expect(tokens).toContain('the+error');
    expect(tokens.some((token) => token === 'what+is' || token === 'is+the')).toBe(false);
  });

  it('emits camelCase and snake_case words whole and in parts', () => {
    expect(tokenizer.tokens('refreshAccessToken')).toEqual(
      expect.arrayContaining(['refreshaccesstoken', 'refresh', 'access', 'token', '~token']),
    );
    expect(tokenizer.tokens('max_retry_count')).toEqual(
      expect.arrayContaining(['max_retry_count', 'max', 'retry', '~retri', 'count']),
    );
    expect(tokenizer.tokens('parseHTTPResponse2Json')).toEqual(
      expect.arrayContaining(['http', 'response2', 'json']),
    );
    expect(tokenizer.tokens('__init__')).toEqual(expect.arrayContaining(['__init__', 'init']));
    expect(tokenizer.tokens('___')).toEqual(['___', '~___']);
  });

  it('finds inflected words by their stem', () => {
    const stems = tokenizer.words('migrating').map(({ stem }) => stem);
    expect(tokenizer.tokens('the migration migrates')).toEqual(expect.arrayContaining(stems));
  });

  it('splits at paths, punctuation and operators', () => {
    const tokens = tokenizer.tokens('src/auth/login.test.ts: a->b && "x"*y^2 AND NOT NEAR(z)');
    expect(tokens).toEqual(expect.arrayContaining(['src', 'auth', 'login', 'ts', 'and', 'near', 'z', '2']));
    for (const token of tokens) expect(token).toMatch(/^[\w~+]+$/);
  });

  it('segments Chinese, Japanese and Thai into words', () => {
    expect(tokenizer.tokens('数据库连接超时')).toEqual(expect.arrayContaining(['数据', '连接']));
    expect(tokenizer.tokens('テストを実行する')).toContain('テスト');
    expect(tokenizer.tokens('ภาษาไทย').length).toBeGreaterThan(1);
  });

  it('takes Cyrillic, Greek, Hebrew, Arabic and Hangul as words', () => {
    for (const word of ['ошибка', 'σφάλμα', 'שגיאה', 'خطأ', '오류'])
      expect(tokenizer.words(`x ${word} y`)).toHaveLength(3);
  });

  it('folds case, accents and compatibility forms', () => {
    const same = (a: string, b: string) => expect(tokenizer.words(a)).toEqual(tokenizer.words(b));
    same('Naïve', 'naive');
    same('nai\u0308ve', 'naive');
    same('ÉCOLE', 'ecole');
    same('ｆｕｌｌｗｉｄｔｈ', 'fullwidth');
    same('ﬁle', 'file');
  });

  it('ignores emoji and symbols', () => {
    expect(tokenizer.tokens('🙂 👩‍👩‍👧 → ✓ … — “” ┌──┐')).toEqual([]);
    expect(tokenizer.tokens('ok🙂done')).toEqual(expect.arrayContaining(['ok', 'done']));
  });

  it('emits no token with white space, control characters or quotes for any text', () => {
    const random = seededRandom(5);
    for (let count = 0; count < rounds({ quick: 500, slow: 10_000 }); count += 1) {
      const text = Array.from({ length: 1 + random(12) }, () => {
        const code = random(3) === 0 ? random(128) : random(0x1_1000);
        return String.fromCodePoint(code >= 0xd800 && code < 0xe000 ? 32 : code);
      }).join('');
      const stream = tokenizer.stream(text);
      expect(stream).not.toMatch(/[\t\n\0"']| {2}/);
      expect(stream === '' || stream.endsWith(' ')).toBe(true);
      expect(tokenizer.tokens(text)).toEqual([...new Set(stream.split(' ').filter(Boolean))]);
      for (const { stem } of tokenizer.words(text)) expect(tokenizer.tokens(text)).toContain(stem);
    }
  });

  it('skips lone surrogates', () => {
    expect(tokenizer.tokens('a \ud83d b \ude42 c')).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });

  it('skips words of absurd length, and tokenizes megabytes without a space', {
    timeout: 60_000,
  }, () => {
    const text = `before ${'deadbeef'.repeat(rounds({ quick: 250_000, slow: 1_250_000 }))} after`;
    const started = performance.now();
    expect(tokenizer.words(text).map(({ word }) => word)).toEqual(['before', 'after']);
    const ideographs = '错误日志数据库'.repeat(rounds({ quick: 100_000, slow: 500_000 }));
    expect(tokenizer.stream(ideographs).length).toBeGreaterThan(ideographs.length);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('the words of a query', () => {
  it('returns unique query words with their stems, and marks stop words', () => {
    expect(tokenizer.words('Fix the failing tests the FIX')).toEqual([
      { word: 'fix', stem: '~fix', stop: false },
      { word: 'the', stem: '~the', stop: true },
      { word: 'failing', stem: '~fail', stop: false },
      { word: 'tests', stem: '~test', stop: false },
    ]);
  });
});

it('counts the ending after an apostrophe in a query as a stop word', () => {
  for (const text of ['the user’s ls', "the user's ls"])
    expect(
      tokenizer
        .words(text)
        .filter(({ stop }) => !stop)
        .map(({ word }) => word),
    ).toEqual(['user', 'ls']);
  expect(tokenizer.words("'ls' s")).toMatchObject([{ stop: false }, { stop: false }]);
});

describe('word positions in a text', () => {
  it('finds the positions of words by stem or by part', () => {
    const text = 'He retried; maxRetryCount was 3';
    const places = tokenizer.locate(text, new Set(['~retri']));
    expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(['retried', 'maxRetryCount']);
  });

  it('returns a position for every wanted stem in a word', () => {
    const places = tokenizer.locate('refreshToken', new Set(['~refresh', '~token']));
    expect(places.map(({ stem }) => stem).sort()).toEqual(['~refresh', '~token']);
  });

  it('finds positions in text of any script', () => {
    const text = '修复 数据库连接 and naïve 🙂 connection';
    for (const query of ['连接', 'naive', 'connections']) {
      const stems = new Set(tokenizer.words(query).map(({ stem }) => stem));
      const [place] = tokenizer.locate(text, stems);
      const found = text.slice(place?.start, place?.end);
      expect(tokenizer.words(found).map(({ stem }) => stem)).toEqual([...stems]);
    }
  });

  it('finds every word of a mixed text by its stem', () => {
    const text =
      'Retry retries2 HTTPServer xmlHttp snake_case_retry RETRY useState2 ties skies 3rd Ünder retry9';
    const words = text.split(' ');
    for (const word of words) {
      for (const stem of tokenizer
        .stream(word)
        .split(' ')
        .filter((token) => /^~[^+]*$/.test(token))) {
        const found = tokenizer.locate(text, new Set([stem])).map(({ start, end }) => text.slice(start, end));
        const expected = words.filter((other) => tokenizer.stream(other).split(' ').includes(stem));
        expect(found).toEqual(expected);
      }
    }
  });

  it('finds a word whose ending is changed by its stem', () => {
    const endings =
      's es ies ed ied ing ly y ness ful ational ization izer ability ibility iviti iveness logy ence ancy ement'.split(
        ' ',
      );
    const words = ['rel', 'oper', 'sens', 'conf', 'appl', 'at', 'v'].flatMap((start) =>
      endings.flatMap((end) => [`${start}${end}`, `${start}ab${end}`, `${start}at${end}s`]),
    );
    const missed = words.filter((word) => {
      const [stem = ''] = tokenizer.words(word).map(({ stem }) => stem);
      return tokenizer.locate(`the ${word} of`, new Set([stem])).length !== 1;
    });
    expect(words.length).toBeGreaterThan(400);
    expect(missed).toEqual([]);
  });
});
