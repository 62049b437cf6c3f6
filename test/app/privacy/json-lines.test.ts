import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { redactJsonLines } from '../../../src/app/privacy/redact-json-lines.ts';
import { CREDENTIALS } from '../../adapters/secretlint/credentials.ts';
import { type Random, seededRandom } from '../../adapters/secretlint/fake-credential.ts';

const redactor = createRedactor();
const redactText = async (text: string) => {
  const { bytes, rules } = await redactJsonLines(Buffer.from(text), redactor);
  return { text: Buffer.from(bytes).toString('utf8'), rules };
};
const secret = `gh${'p_'}${seededRandom(1).pick('ABCDEFGHabcdefgh01234567', 36)}`;

it('redacts inside JSON strings, and leaves every other byte unchanged', async () => {
  const line = `{ "n":1.50e+3,"a" : "x \\u00e9 \\/ ${secret}", "b":"\\u0041\\/", "z":null}\r\n`;
  const { text } = await redactText(line);
  expect(text).toBe(`{ "n":1.50e+3,"a" : "x é / [REDACTED:github]", "b":"\\u0041\\/", "z":null}\r\n`);
});

it('returns the same bytes if there is nothing to redact, even with invalid UTF-8', async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":"'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('"}\n\n{"b":1}'),
  ]);
  const redacted = await redactJsonLines(bytes, redactor);
  expect(Buffer.from(redacted.bytes).equals(bytes)).toBe(true);
});

it('finds secrets in escaped strings, in nested JSON and in property names', async () => {
  const inner = JSON.stringify({ out: JSON.stringify({ text: `line\n"${secret}"` }), [secret]: 1 });
  const { text, rules } = await redactText(inner);
  expect(text).not.toContain(secret.slice(4));
  expect(rules).toEqual(['github', 'github']);
  expect(JSON.parse(JSON.parse(text).out)).toEqual({ text: 'line\n"[REDACTED:github]"' });
});

it('redacts a value because of its property’s name', async () => {
  const value = seededRandom(4).pick('abcdefgh0123456789', 30);
  const { text } = await redactText(JSON.stringify({ input: { api_key: value, checksum: value } }));
  expect(JSON.parse(text)).toEqual({ input: { api_key: '[REDACTED:named-secret]', checksum: value } });
});

it('finds a secret written with escapes', async () => {
  const escaped = [...secret].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
  const { text } = await redactText(`{"a":"${escaped}"}`);
  expect(text).toBe('{"a":"[REDACTED:github]"}');
});

it('leaves alone data signed or encrypted by a service', async () => {
  const sealed = seededRandom(2).pick('ABCDEFGHabcdefgh01234567+/', 400);
  const line = JSON.stringify({ thinking: 'so', signature: sealed, encrypted_content: sealed });
  expect((await redactText(line)).text).toBe(line);
});

it('redacts lines that are not JSON as text', async () => {
  const { text } = await redactText(`// a note: ${secret}\n{"cut": "off ${secret}`);
  expect(text).toBe('// a note: [REDACTED:github]\n{"cut": "off [REDACTED:github]');
});

it('redacts unquoted words that are not valid JSON', async () => {
  const token = `pul${'-'}${seededRandom(6).pick('abcdef0123456789', 40)}`;
  expect((await redactText(`${token}\n12 true ${token}`)).text).toBe(
    '[REDACTED:pulumi]\n12 true [REDACTED:pulumi]',
  );
});

it('removes private parts of a prompt from every line that repeats it', async () => {
  const prompt = 'fix it <private>for \\"Hooli\\"\\n</private>now';
  const { text, rules } = await redactText(`{"content":"${prompt}"}\n{"lastPrompt":"${prompt}"}\n`);
  expect(text).toBe('{"content":"fix it now"}\n{"lastPrompt":"fix it now"}\n');
  expect(rules).toEqual(['private', 'private']);
});

it('keeps random lines valid and in the same shape, and gives the same result in parts as at once', async () => {
  for (let seed = 0; seed < 120; seed += 1) {
    const random = seededRandom(seed);
    const values = Array.from({ length: 4 }, () => randomValue(random, 3));
    const lines = values.map((value) => `${JSON.stringify(value)}\n`);
    const whole = await redactText(lines.join(''));
    const parts = await Promise.all(lines.map(redactText));
    expect(parts.map(({ text }) => text).join('')).toBe(whole.text);
    const redacted = whole.text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(redacted.map(shapeOf)).toEqual(values.map(shapeOf));
    expect(await redactText(whole.text)).toEqual({ text: whole.text, rules: [] });
  }
});

it('redacts every kind of credential in a transcript line', async () => {
  for (const { claimed, kind, make } of CREDENTIALS) {
    if (claimed !== 'library' && claimed !== 'issuer') continue;
    const { text, secret: value } = make(seededRandom(77));
    const line = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: `${text}\n"quoted" \\ ` },
    });
    const redacted = await redactText(line);
    expect(redacted.text, kind).not.toContain(value.slice(-24));
    expect(JSON.parse(redacted.text).message.role).toBe('user');
  }
});

function randomValue(random: Random, depth: number): unknown {
  switch (random.number(depth > 0 ? 6 : 4)) {
    case 0:
      return random.number(1_000_000) / 8;
    case 1:
      return CREDENTIALS[random.number(CREDENTIALS.length)]?.make(random).text;
    case 2:
      return random.pick('ab"\\/\n\t\u2028é🔑{}[]:, ', 12).toWellFormed();
    case 3:
      return [null, true, false, ''][random.number(4)];
    case 4:
      return Array.from({ length: random.number(4) }, () => randomValue(random, depth - 1));
    default:
      return Object.fromEntries(
        ['text', 'password', 'a"b', 'token']
          .slice(random.number(3))
          .map((key) => [key, randomValue(random, depth - 1)]),
      );
  }
}

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'string';
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
