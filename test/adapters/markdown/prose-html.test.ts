import { describe, expect, it } from 'vitest';
import { proseHtml } from '../../../src/adapters/markdown/prose-html.ts';
import { HOSTILE_TEXTS } from '../../support/page/hostile-texts.ts';

/** What a browser shows, apart from spaces. */
function shown(html: string): string {
  return html
    .replace(/<br>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the text of a transcript as HTML', () => {
  it.each([
    'Globs: src/**/*.ts and test/**/*.ts',
    'Only **/*.ts and **/*.js',
    'files .test.*, .spec.* and *.md, *.ts',
    '__tests__/a.ts and __init__.py and __init__',
    'PATH=~/a:~/b',
    'C:\\Users\\_me\\.claude\\*',
    'docker run \\\n  --rm image',
    '[1]: https://example.org/one',
    'Fish &amp; chips',
    'See [the file](src/a.ts) and ![a picture](a.png), me@example.org',
    '<my-tag a="b">\n\nafter <b>it</b>',
    '| a | b |\n|---|---|\n| `x|y` | z | more |',
    'Array<string> && a < b',
  ])('shows all of %j', (text) => {
    expect(shown(proseHtml(text))).toBe(text.replace(/\s+/g, ' '));
  });

  it('keeps a line that only looks like a fence', () => {
    const html = proseHtml('one\n\n```npm test``` fails here\n\ntwo');
    expect(html).toContain('<code>npm test</code> fails here');
    expect(html).toContain('<p>two</p>');
  });

  it('reads a fence in a list, and a table', () => {
    expect(proseHtml('- item\n  ```ts\n  const a = `b`;\n  ```\n- next')).toContain(
      '<pre>const a = &#96;b&#96;;</pre>',
    );
    expect(proseHtml('| a | b |\n|---|:-:|\n| 1 | **2** |')).toContain(
      '<td>1</td><td><strong>2</strong></td>',
    );
  });

  it('emphasizes words, not patterns', () => {
    expect(proseHtml('**bold**, *it* and ***both***: _so_. (**in**)')).toMatch(
      /<strong>bold<\/strong>, <em>it<\/em> and .*both.*: <em>so<\/em>\. \(<strong>in<\/strong>\)/,
    );
  });

  it('says what an unclosed fence says', () => {
    expect(shown(proseHtml('``` and the rest\nof it'))).toBe('and the rest of it');
  });

  it('writes only its own elements from hostile texts', () => {
    for (const text of HOSTILE_TEXTS)
      expect(proseHtml(text).replace(/"(?:https?:\/\/[^"]*|[a-z ]+|\d+)"/g, '""')).not.toMatch(
        /<(?!\/?(?:p|pre|code|a|h[3-6]|div|ul|ol|li|em|strong|del|br|hr|blockquote|table|thead|tbody|tr|th|td)\b)|<[^>]*\son|href="[^"]/i,
      );
  });
});
