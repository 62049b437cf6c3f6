import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { CREDENTIALS } from './credentials.ts';
import { seededRandom } from './fake-credential.ts';

const redactOne = async (text: string, settings: Parameters<typeof createRedactor>[0] = {}) =>
  (await createRedactor(settings).redact([{ text }]))[0] ?? { text: '', rules: [] };
const github = `gh${'p_'}${seededRandom(7).pick('abcdefghijkmnpqrstuvwxyz23456789', 36)}`;

it('names the rule that redacted a secret, and keeps the text around it', async () => {
  expect(await redactOne(`push with ${github}, then stop`)).toEqual({
    text: 'push with [REDACTED:github], then stop',
    rules: ['github'],
  });
});

it('keeps the host of an address, so that search still finds it', async () => {
  const { text } = await redactOne(
    `psql postgres://shop:${seededRandom(3).pick('abcdefgh12345', 12)}@db.acme.io/orders`,
  );
  expect(text).toBe('psql postgres://[REDACTED:database-connection-string]@db.acme.io/orders');
});

it('redacts a whole AWS secret key, not as many characters starting at its name', async () => {
  const secret = seededRandom(5).pick('ABCDEFGHabcdefgh0123456789', 40);
  const { text } = await redactOne(`AWS_SECRET_ACCESS_KEY=${secret}`);
  expect(text).toBe('AWS_SECRET_ACCESS_KEY=[REDACTED:aws]');
});

it('redacts a text identically alone and in a batch, and changes nothing the second time', async () => {
  const texts = CREDENTIALS.map(({ make }, seed) => ({ text: make(seededRandom(seed)).text }));
  const redactor = createRedactor();
  const together = await redactor.redact(texts);
  for (const [at, one] of texts.entries()) {
    const alone = await createRedactor().redact([one]);
    expect(alone[0]).toEqual(together[at]);
  }
  const again = await redactor.redact(together.map(({ text }) => ({ text })));
  expect(again).toEqual(together.map(({ text }) => ({ text, rules: [] })));
});

it('changes nothing the second time in random mixtures of secrets, marks and text', async () => {
  const redactor = createRedactor();
  for (let seed = 0; seed < 150; seed += 1) {
    const random = seededRandom(seed);
    const parts = Array.from({ length: 6 }, () => piece(random));
    const text = parts.join(random.pick(' \n",:=\\', 1));
    const [once] = await redactor.redact([{ text }]);
    const [twice] = await redactor.redact([{ text: once?.text ?? '' }]);
    expect(twice).toEqual({ text: once?.text, rules: [] });
  }
});

it('does not let comments in a text disable redaction', async () => {
  const { rules } = await redactOne(`// secretlint-disable\n${github} // secretlint-disable-line`);
  expect(rules).toEqual(['github']);
});

it('writes marks that need no escaping in JSON', async () => {
  const redactions = await createRedactor().redact(CREDENTIALS.map(({ make }) => make(seededRandom(11))));
  for (const mark of redactions.flatMap(({ text }) => text.match(/\[REDACTED:[^\]]*\]/g) ?? [])) {
    expect(mark).toMatch(/^\[REDACTED:[a-z0-9-]+\]$/);
  }
});

it('removes text between private tags, in several places and across lines', async () => {
  const { text, rules } = await redactOne('a <private>one</private>b <PRIVATE>\ntwo\n</PRIVATE>c');
  expect(text).toBe('a b c');
  expect(rules).toEqual(['private']);
});

it('removes text in nested private tags and tags with spaces', async () => {
  for (const [text, open] of [
    ['a <private>b <private>c</private> d</private> e', 'a  e'],
    ['a <private>b <private>c</private> d', 'a  d'],
    ['a <private>b</private> c</private> d', 'a  c</private> d'],
    ['a <private >b</private > c < private>d</ private> e', 'a  c < private>d</ private> e'],
    ['a <private>b <private>c</private> <private>d</private> e', 'a  e'],
  ] as const)
    expect((await redactOne(text)).text).toBe(open);
});

it('treats an unclosed private tag as text', async () => {
  expect((await redactOne('what does <private> mean?')).text).toBe('what does <private> mean?');
});

it('removes the beginning of a private part whose end is truncated', async () => {
  expect((await redactOne('fix <private>one</private> it <private>for Hoo…')).text).toBe('fix  it ');
});

it('redacts in time proportional to the length of any text', async () => {
  const nasty = [
    '<private>',
    '-----END PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n',
    'https://a:b',
    'password=',
    'eyJ',
  ];
  const started = performance.now();
  for (const piece of nasty) await redactOne(piece.repeat(Math.ceil(300_000 / piece.length)));
  expect(performance.now() - started).toBeLessThan(20_000);
});

it("redacts by the user's own patterns, whole or by their group", async () => {
  const patterns = [
    { name: 'ticket', pattern: '\\bACME-\\d{4}\\b' },
    { name: 'customer', pattern: '(?i)customer:\\s*(\\w+)' },
  ];
  const { text, rules } = await redactOne('🔑 ACME-1234 is of Customer: Hooli 🔑', { patterns });
  expect(text).toBe('🔑 [REDACTED:ticket] is of Customer: [REDACTED:customer] 🔑');
  expect(rules).toEqual(['ticket', 'customer']);
});

it('runs a pattern with catastrophic backtracking in linear time', async () => {
  const started = performance.now();
  await redactOne(`${'a'.repeat(20_000)}!`, { patterns: [{ name: 'slow', pattern: '(a+)+$' }] });
  expect(performance.now() - started).toBeLessThan(20_000);
});

it.each([
  ['a broken pattern', { name: 'x', pattern: '(' }],
  ['look-around', { name: 'x', pattern: '(?=a)b' }],
  ['a back-reference', { name: 'x', pattern: '(a)\\1' }],
  ['a pattern that matches nothing', { name: 'x', pattern: 'a*' }],
  ['a name that would break the mark', { name: 'my "name"', pattern: 'a' }],
  ['a pattern that is too large', { name: 'x', pattern: 'a'.repeat(2000) }],
])('refuses %s', async (_, pattern) => {
  await expect(createRedactor({ patterns: [pattern] }).redact([])).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    hint: expect.stringContaining('docs/privacy.md'),
  });
});

it('redacts a value because of its name', async () => {
  const value = seededRandom(9).pick('abcdef0123456789', 32);
  const redactions = await createRedactor().redact([
    { name: 'client_secret', text: value },
    { name: 'checksum', text: value },
  ]);
  expect(redactions.map(({ text }) => text)).toEqual(['[REDACTED:named-secret]', value]);
});

it("redacts a service's key under a variable that only names the service", async () => {
  const key = seededRandom(9).pick('abcdefgh0123456789', 32);
  expect((await redactOne(`const mapboxKey = "${key}";`)).text).toBe(
    'const mapboxKey = "[REDACTED:named-secret]";',
  );
  expect((await redactOne(`weatherKey: '${key}',`)).text).toBe("weatherKey: '[REDACTED:named-secret]',");
});

it('redacts the end of a private key whose beginning is truncated', async () => {
  const lines = Array.from({ length: 6 }, (_, seed) =>
    seededRandom(seed).pick('ABCDEFGHabcdefgh0123456789+/', 64),
  );
  const { text } = await redactOne(
    ['[…]', ...lines, `-----END RSA ${'PRIVATE'} KEY-----`, 'thanks'].join('\n'),
  );
  expect(text).toBe('[…]\n[REDACTED:privatekey]\nthanks');
});

function piece(random: ReturnType<typeof seededRandom>): string {
  const credential = CREDENTIALS[random.number(CREDENTIALS.length)];
  const others = ['password', '=', '[REDACTED:github]', 'token: ', 'https://a:', '@b.io', '-----BEGIN '];
  return random.number(2) === 0
    ? (credential?.make(random).text ?? '')
    : (others[random.number(others.length)] ?? '');
}

it('keeps the host in a URL whose login looks like a name of a secret', async () => {
  const token = `gh${'s_'}aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5`;
  const { text } = await redactOne(`git clone https://x-access-token:${token}@github.com/acme/x.git`);
  expect(text).toBe('git clone https://[REDACTED:basicauth]@github.com/acme/x.git');
});

it('finds tokens after an escape that looks like one of their letters', async () => {
  const nested = (text: string, levels: number): string =>
    levels === 0 ? text : nested(JSON.stringify({ out: text }), levels - 1);
  for (const levels of [1, 2, 3]) {
    const { text } = await redactOne(nested(`key:\n${github}\r\n\t${github}\\`, levels));
    expect(text).toBe(nested('key:\n[REDACTED:github]\r\n\t[REDACTED:github]\\', levels));
  }
  const around: [string, string][] = [
    ['\u001b[1;32m', '\u001b[0m'],
    ['\\u001b[32m', '\\u001b[0m'],
    ['\\x1b[32m', '\\x1b[0m'],
    ['https://acme.io/?next=%2Fx%3Ft%3D', '%26a=b'],
    ['\\u003d', '\\u0026'],
  ];
  for (const [before, after] of around)
    expect((await redactOne(`${before}${github}${after}`)).text).toBe(`${before}[REDACTED:github]${after}`);
});

it('finds tokens escaped partly or wholly in nested JSON', async () => {
  const escaped = (text: string) =>
    [...text].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
  for (const hidden of [escaped(github), escaped(github.slice(0, 4)) + github.slice(4)])
    expect((await redactOne(`{"token of":"${hidden}"}`)).text).toBe('{"token of":"[REDACTED:github]"}');
});

it("matches the user's own patterns after escapes too", async () => {
  const patterns = [{ name: 'ticket', pattern: '\\bACME-\\d{4}\\b' }];
  expect((await redactOne('{"out":"done\\nACME-1234\\n"}', { patterns })).text).toBe(
    '{"out":"done\\n[REDACTED:ticket]\\n"}',
  );
});

it('finds passwords after the short options of known programs', async () => {
  const password = 'tR7!vQz2#kL9';
  const mark = '[REDACTED:named-secret]';
  for (const [before, after] of [
    ['mysql -h db -u root -p', ' shop < dump.sql'],
    ["mysqldump --single-transaction -p'", "' shop"],
    ['sshpass -p ', ' ssh ada@host'],
    ['docker login -u ada -p "', '" registry.acme.io'],
    ['curl -s -u ada:', ' https://api.acme.io/x'],
  ])
    expect((await redactOne(`${before}${password}${after}`)).text).toBe(`${before}${mark}${after}`);
  for (const text of [
    'mysql -p shop_production_2024',
    'docker run -p 127.0.0.1:6333:6333 -v qdrant:/data',
    'mkdir -p src/adapters/Sqlite3/2024-01',
    'curl -u "$USER:$PASSWORD" https://api.acme.io',
    'mysql -p"$MYSQL_ROOT_PASSWORD" shop',
    'curl -u ada:password https://api.acme.io',
  ])
    expect((await redactOne(text)).text).toBe(text);
});

it('reads quotes of HTML in HTML, and ends where text hides in itself again and again', async () => {
  const named = 'password=[REDACTED:named-secret]&amp;quot;';
  expect((await redactOne('password=tR7!vQz2#kL9&amp;quot;')).text).toBe(named);
  for (const nested of [
    `&${'amp;'.repeat(20_000)}quot;`,
    `${'\u001b['.repeat(20_000)}${'0m'.repeat(20_000)}`,
  ])
    expect((await redactOne(`${nested} ${github}`)).text).toBe(`${nested} [REDACTED:github]`);
});
