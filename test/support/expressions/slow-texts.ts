import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** A text that might be slow: a beginning, a part repeated, and an ending that does not match. */
export interface SlowText {
  before: string;
  part: string;
  after: string;
}

export function textOf({ before, part, after }: SlowText, length: number): string {
  return before + part.repeat(Math.ceil(length / part.length)) + after;
}

/**
 * Texts made of an expression itself. An expression is slow if it can begin in many places and each time reads far before it fails,
 * or if two of its repetitions can share a text. So each repetition is repeated, with and without what comes before it, as are all
 * its characters and its whole match; each once after what makes the expression reach the repetition.
 */
export function slowTexts(source: string, flags: string): SlowText[] {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const sampler = createSampler(pattern, flags);
  const parts = new Set([...sampler.characters, ...COMMON_PARTS]);
  const beginnings = new Set<string>();
  collect(
    pattern,
    VARIANTS.map(() => ''),
    sampler.sample,
    parts,
    beginnings,
  );
  for (const variant of VARIANTS) {
    const whole = sampler.sample(pattern, variant);
    for (const part of [whole, whole.slice(0, -1), whole.slice(1)]) parts.add(part);
  }
  parts.delete('');
  beginnings.delete('');
  return [...parts].flatMap((part) => [
    ...ENDINGS.map((after) => ({ before: '', part, after })),
    { before: '\u0001', part, after: '\u0001' },
    ...[...beginnings].slice(0, MAX_BEGINNINGS).map((before) => ({ before, part, after: '\u0001' })),
  ]);
}

const VARIANTS = [0, 1, 2];
const COMMON_PARTS = [' ', 'a', '\n', '/', '0'];
const ENDINGS = ['', '\u0001', '\n\u0001', 'x ', '"'];
const MAX_BEGINNINGS = 12;
/** Repetitions of fewer than this cost a factor, not a square. */
const MANY = 10;

/** Adds the texts of every repetition in a part of an expression. `before`: texts that make the expression reach this part. */
function collect(
  node: AST.Node,
  before: string[],
  sample: Sample,
  parts: Set<string>,
  beginnings: Set<string>,
): void {
  const into = (child: AST.Node, texts: string[]) => collect(child, texts, sample, parts, beginnings);
  if (node.type === 'Alternative') {
    let texts = before;
    for (const element of node.elements) {
      into(element, texts);
      texts = texts.map((text, variant) => text + sample(element, variant));
    }
  } else if (node.type === 'Quantifier') {
    if (node.max >= MANY)
      for (const text of before) {
        beginnings.add(text);
        parts.add(text);
        for (const variant of VARIANTS) {
          const body = sample(node.element, variant);
          for (const part of [body, text + body, body + text]) parts.add(part);
        }
      }
    into(node.element, before);
    if (node.max >= MANY)
      into(
        node.element,
        before.map((text, at) => text + sample(node.element, at)),
      );
  } else if ('alternatives' in node) {
    for (const alternative of node.alternatives) into(alternative, before);
  }
}

/** A short match of a part of an expression. Variants differ in their alternatives and characters. */
type Sample = (node: AST.Node, variant: number) => string;

function createSampler(pattern: AST.Pattern, flags: string): { sample: Sample; characters: Set<string> } {
  const characters = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => characters.add(String.fromCodePoint(value)),
  });
  const known = new Map<string, string[]>();
  const matchesOf = ({ raw }: AST.Node): string[] => {
    let found = known.get(raw);
    if (found === undefined) {
      const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
      found = [...USUAL, ...characters].filter((character) => one.test(character));
      known.set(raw, found);
    }
    return found;
  };
  const sample: Sample = (node, variant) => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass': {
        const found = matchesOf(node);
        return found[variant % Math.max(1, found.length)] ?? '';
      }
      case 'Quantifier':
        return sample(node.element, variant).repeat(Math.max(node.min, Math.min(1, node.max)));
      case 'Alternative':
        return node.elements.map((element) => sample(element, variant)).join('');
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup': {
        const { alternatives } = node;
        const one = alternatives[variant % alternatives.length];
        return one === undefined ? '' : sample(one, variant);
      }
      default:
        return '';
    }
  };
  return { sample, characters };
}

const USUAL = Array.from(' a0\t\n\rZ_-./\\"\'`<>()[]{}:;,=@#*|~+?!&%$^é中\u{1F600}');
