import { pick, type Random, replacePart } from '../random.ts';

/** The text with one to six damages, as bytes: cut short, flipped, reordered, or with values that no agent writes. */
export function mutate(lines: string[], random: Random): Buffer {
  const changed = [...lines];
  for (let count = 1 + random(6); count > 0; count -= 1) {
    const at = random(changed.length);
    changed[at] = pick(random, MUTATIONS)(changed[at] ?? '', random, changed);
  }
  if (random(6) === 0) swap(changed, random(changed.length), random(changed.length));
  if (random(8) === 0) changed.splice(random(changed.length), 0, ...changed.slice(0, random(changed.length)));
  const bytes = Buffer.from(changed.join(random(10) === 0 ? '\r\n' : '\n'));
  if (random(6) === 0) flipBits(bytes, random);
  return random(8) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes;
}

/** JSON text in which one value is of the wrong type or content. */
export function withOddValue(line: string, random: Random): string {
  try {
    const odd = replacePart(JSON.parse(line), random, 6, (old) =>
      pick(random, typeof old === 'string' ? [...ODD_TEXTS, ...ODD] : ODD),
    );
    return JSON.stringify(odd);
  } catch {
    // An earlier damage broke the line.
    return line;
  }
}

const LONG = 'x'.repeat(10_000_000);

/** What a field holds in no transcript. */
export const ODD: readonly unknown[] = [
  ...[null, 0, -1, 1e308, -62_167_219_200_000, 8.64e15 + 1, Number.MAX_SAFE_INTEGER, '', '\0', '\ud800'],
  ...[[], {}, true, [[]], [null], { length: 1e9 }, '$(touch PWN)', '`id`', "'; id; '"],
];

export const ODD_TEXTS: readonly string[] = [
  ...['\u001b]52;c;aGk=\u0007', '\u202e', '../../etc/passwd', '/etc/passwd', '\n\u001b[2J'],
  ...[
    '9999-99-99T99:99:99Z',
    '2026-13-45T99:99:99.999Z',
    '1901-01-01T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
  ],
  ...['9999-12-31T23:59:59.999Z', '+12026-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.001Z'],
  ...["a'; touch PWN; echo '", '__proto__', 'constructor', 'a/b/../../c', 'x'.repeat(10_000)],
];

type Mutation = (line: string, random: Random, all: string[]) => string;

const MUTATIONS: Mutation[] = [
  (line, random) => line.slice(0, random(line.length + 1)),
  (line) => line + line,
  (line) => `${line}\n${line}`,
  (line, random, all) => all[random(all.length)] ?? line,
  () => '',
  (line) => `\ufeff${line}`,
  (line, random) => `${line.slice(0, random(line.length + 1))}\0\u0001\u001b[31m${line.slice(-20)}`,
  (_, random) => `${'{"message":['.repeat(random(5000))}1`,
  // Every record is its own parent, and all are the same one.
  (line) => line.replaceAll(/"(id|uuid|parentUuid|parentId)":"[^"]*"/g, '"$1":"same"'),
  (line, random) => replaceText(line, 'cwd', pick(random, ODD_TEXTS)),
  (line, random) => replaceText(line, 'timestamp', pick(random, [...ODD, ...ODD_TEXTS])),
  (line, random) => replaceText(line, pick(random, IDS), pick(random, [...ODD, ...ODD_TEXTS])),
  (line, random) => line.replace(/:\d+/, pick(random, [':1e400', ':-1e400', `:${'9'.repeat(400)}`, ':NaN'])),
  (line, random) => (random(40) === 0 ? line.replace(/"(text|content)":"/, `$&${LONG}`) : line),
  withoutField,
  ...[1, 2, 3].map((): Mutation => withOddValue),
];

const IDS = ['id', 'uuid', 'parentUuid', 'parentId', 'sessionId', 'parentSession', 'forked_from_id', 'type'];

function replaceText(line: string, name: string, value: unknown): string {
  const text = JSON.stringify(value);
  return line.replace(new RegExp(`"${name}":"[^"]*"`), () => `"${name}":${text}`);
}

function withoutField(line: string, random: Random): string {
  const fields = [...line.matchAll(/"\w+":("[^"\\]*"|\d+|null|true|false),/g)];
  if (fields.length === 0) return line;
  const field = pick(random, fields);
  return line.slice(0, field.index) + line.slice(field.index + field[0].length);
}

function swap(lines: string[], a: number, b: number): void {
  [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
}

function flipBits(bytes: Buffer, random: Random): void {
  for (let count = 1 + random(8); count > 0 && bytes.length > 0; count -= 1) {
    const at = random(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
  }
}
