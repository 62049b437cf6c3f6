import type { Random } from './fake-credential.ts';

/** Random text that matches a pattern, in the dialect of gitleaks-rules.ts: no look-behind, ASCII classes, bounded repetition. */
export function randomMatch(pattern: string, random: Random): { text: string; groups: string[] } {
  let at = 0;
  const groups: string[] = [];
  const alternatives = (): string => {
    const options: (() => string)[] = [];
    let parts: (() => string)[] = [];
    const finish = () => {
      const sequence = parts;
      options.push(() => sequence.map((part) => part()).join(''));
      parts = [];
    };
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at += 1;
        finish();
      } else parts.push(repeated(atom()));
    }
    finish();
    return (options[random.number(options.length)] ?? (() => ''))();
  };
  const atom = (): (() => string) => {
    const rest = pattern.slice(at);
    if (rest.startsWith('(?!')) {
      at += 3;
      alternatives();
      at += 1;
      return () => '';
    }
    if (rest[0] === '(') {
      const isCapture = !rest.startsWith('(?:');
      at += isCapture ? 1 : 3;
      const from = at;
      alternatives();
      const inside = pattern.slice(from, at);
      at += 1;
      return () => {
        const { text } = randomMatch(inside, random);
        if (isCapture) groups.push(text);
        return text;
      };
    }
    const found = /^(?:\[(?:\\.|[^\]\\])*\]|\\x[0-9a-fA-F]{2}|\\.|[\s\S])/.exec(rest)?.[0] ?? '';
    at += found.length;
    if (found === '\\b' || found === '$' || found === '^') return () => '';
    if (found === '[^\\n]') return () => '.';
    const one = new RegExp(`^${found === '.' ? '\\.' : found}$`);
    const usual = [...ALPHABET].filter((character) => one.test(character));
    return () => usual[random.number(usual.length)] ?? ' ';
  };
  const repeated = (make: () => string): (() => string) => {
    const found = /^(?:\{(\d+)(,?)(\d*)\}|\?)\??/.exec(pattern.slice(at));
    if (found === null) return make;
    at += found[0].length;
    const least = found[1] === undefined ? 0 : Number(found[1]);
    const most = found[1] === undefined ? 1 : found[2] === '' ? least : Number(found[3]);
    return () => Array.from({ length: least + random.number(Math.min(most - least, 2) + 1) }, make).join('');
  };
  const text = alternatives();
  return { text, groups };
}

/** White space only if a class contains nothing else. */
const ALPHABET =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=+/.:;,~!@#%^&*?|<>"\'`()[]{}$\\';
