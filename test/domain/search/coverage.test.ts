import { describe, expect, it } from 'vitest';
import { coverage, idf, saidCoverage, weighWords } from '../../../src/domain/search/coverage.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import { makeSnippet } from '../../../src/domain/search/snippet.ts';
import { rounds } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';

const tokenizer = createLexicalTokenizer();

describe('coverage', () => {
  it('weights words by inverse document frequency: unknown words most, stop words not at all', () => {
    const weights = weighWords(tokenizer.words('the retry zebra'), 100, new Map([['~retri', 20]]));
    expect([...weights.keys()]).toEqual(['~retri', '~zebra']);
    expect(weights.get('~retri')).toBeCloseTo(Math.log(1 + 80.5 / 20.5), 10);
    expect(weights.get('~zebra')).toBeCloseTo(idf(100, 0), 10);
  });

  it('gives no weight to a query of only stop words', () => {
    expect([...weighWords(tokenizer.words('what is it'), 10, new Map())]).toEqual([]);
  });

  it('measures coverage by the best single text', () => {
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

  it('counts a word that a passage has in passing for less', () => {
    const said = (query: string, ...passages: string[]) =>
      saidCoverage(passages, weighWords(tokenizer.words(query), 100, new Map()), tokenizer);
    const loop = 'USER: check them\nBash: for tool in terraform helm; do which $tool; done\nASSISTANT: none';
    expect(said('terraform', loop)).toBe(0.3);
    expect(said('terraform helm which done', loop)).toBeCloseTo(0.3, 10);
    expect(said('terraform', 'as with terraform, apply it')).toBe(0.3);
    expect(said('terraform apply', 'terraform apply says what terraform would apply')).toBe(1);
    expect(said('terraform applies plans', 'terraform applies the plans')).toBe(1);
    expect(said('terraform')).toBe(0);
  });

  it('never counts the only word of a query in full that passages say', () => {
    const said = (...passages: string[]) =>
      saidCoverage(passages, weighWords(tokenizer.words('terraform'), 100, new Map()), tokenizer);
    expect(said('terraform plan says what terraform apply does')).toBe(0.6);
    expect(said('Bash: which terraform', 'terraform plan, terraform apply')).toBe(0.6);
  });
});

describe('snippets', () => {
  const stems = (query: string) => new Map(tokenizer.words(query).map(({ stem }) => [stem, 1]));

  it('shows the snippet that covers most of the query, with its words marked', () => {
    const text = `${'filler words here. '.repeat(60)}Then the websocket reconnects with backoff. ${'more filler. '.repeat(60)}`;
    const snippet = makeSnippet(text, stems('reconnect websocket'), tokenizer);
    const marked = snippet.ranges.map(([start, end]) => snippet.text.slice(start, end));
    expect(marked).toEqual(['websocket', 'reconnects']);
    expect(snippet.text).toMatch(/^… .* …$/);
    expect(snippet.text.length).toBeLessThan(300);
    const longer = makeSnippet(text, stems('reconnect websocket'), tokenizer, 600).text;
    expect(longer.length).toBeGreaterThan(550);
    expect(longer.length).toBeLessThan(620);
  });

  it('shows no mark of Markdown for bold text, headings, tables, links and blocks of code', () => {
    const text =
      'ASSISTANT: ## What rotates\nThe **refresh token** rotates.\n### Done!\n- `f(**kwargs, **rest)`';
    expect(makeSnippet(text, stems('refresh token'), tokenizer).text).toBe(
      'What rotates: The refresh token rotates. Done! - `f(**kwargs, **rest)`',
    );
    const globs = 'refresh src/**/*.ts, lib/**/test and **/*.md';
    expect(makeSnippet(globs, stems('refresh'), tokenizer).text).toBe(globs);
    const table =
      'See [the refresh](https://a.example/b) here:\n| token | age |\n|---|:--:|\n| refresh | 1 |\n```ts\nrefresh();\n```';
    expect(makeSnippet(table, stems('refresh'), tokenizer).text).toBe(
      'See the refresh here: token · age; refresh · 1; refresh();',
    );
    const links = 'refresh [`a.json`](schema/a.json) with run[refresh](a.b):\n```ts title="a b"\nrefresh();';
    expect(makeSnippet(links, stems('refresh'), tokenizer).text).toBe(
      'refresh `a.json` with run[refresh](a.b): refresh();',
    );
  });

  it('shows no JSON spread over several lines', () => {
    const text =
      'The token settings:\n```json\n{\n  "enabled": true,\n  "ages": [\n    1\n  ],\n  "token": {\n    "a": 1\n  }\n}\n```\nThe token rotates.';
    expect(makeSnippet(text, stems('token'), tokenizer).text).toBe(
      'The token settings: … 1 … The token rotates.',
    );
  });

  it('shows JSON that is spread over lines if nothing else matches', () => {
    const text = 'Set it:\n{\n  "gate": {\n    "pass_rate": 0.6\n  }\n}\nBash: cat rates.json';
    const { text: shown, ranges } = makeSnippet(text, stems('pass_rate'), tokenizer);
    expect(shown).toBe('Set it: "gate": { "pass_rate": 0.6');
    expect(ranges.map(([start, end]) => shown.slice(start, end))).toEqual(['pass_rate']);
  });

  it('shows no raw JSON, of a paste or of a tool call', () => {
    const text =
      'USER: The retry fails with {"error":{"code":503,"message":"retry later"}}\nmcp__jira__search: {"query": "retry", "max": 5}\nASSISTANT: I see the retry.';
    const { text: shown } = makeSnippet(text, stems('retry'), tokenizer);
    expect(shown).toBe('The retry fails with … — I see the retry.');
    const only = makeSnippet('mcp__jira__search: {"query": "zebra"}', stems('zebra'), tokenizer);
    expect(only.text).not.toContain('{');
  });

  it('shows the beginning if the text contains no word of the query', () => {
    const snippet = makeSnippet('USER: Please help\nASSISTANT: Yes', stems('zebra'), tokenizer);
    expect(snippet).toEqual({ text: 'Please help — Yes', ranges: [] });
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
