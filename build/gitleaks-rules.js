// Converts the rules published by gitleaks (config/gitleaks.toml) to src/adapters/secretlint/gitleaks-rules.ts:
//   node build/gitleaks-rules.js PATH_TO/gitleaks.toml PATH_TO/LICENSE VERSION
// RE2's syntax becomes JavaScript's, without inline flags for Node 20. Unbounded repetitions get a bound, so that a rule takes linear
// time. A rule's beginning (`[\w.-]{0,50}?`) is cut off, because only the secret's position matters. Its end, a quote or a space,
// becomes "no further character of a token", because transcripts quote, escape and truncate.
import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'smol-toml';

const [, , toml, license, version] = process.argv;
/** Covered by our own rules, which know how transcripts quote and do not take a commit's hash for a token. */
const OWN = [
  'generic-api-key',
  'private-key',
  'pkcs12-file',
  'curl-auth-user',
  'curl-auth-header',
  'jwt-base64',
  'hashicorp-tf-password',
  'sourcegraph-access-token',
];
const MOST = 1000;

const rules = parse(readFileSync(toml, 'utf8'))
  .rules.filter(({ id, regex }) => regex !== undefined && !OWN.includes(id))
  .map(({ id, regex, keywords, entropy = 0, secretGroup = 0 }) => ({
    id,
    keywords,
    entropy,
    secretGroup,
    pattern: translate(
      regex
        .replaceAll(String.raw`[\w.-]{0,50}?`, '')
        .replaceAll(String.raw`[\s'"]{0,3}`, String.raw`[\s'"\\]{0,8}`)
        .replaceAll(String.raw`[\x60'"\s=]{0,5}`, String.raw`[\x60'"\s=\\]{0,8}`)
        .replace(String.raw`(?:[\x60'"\s;]|\\[nr]|$)`, '(?![A-Za-z0-9_=-])')
        .replace(String.raw`(?:[\x60'"\s;]|\\[nr]|$)`, '(?![A-Za-z0-9_=-])'),
    ),
  }));
for (const { id, pattern } of rules) {
  try {
    new RegExp(pattern);
  } catch (error) {
    throw new Error(`${id}: ${error.message}`);
  }
}
const notice = readFileSync(license, 'utf8').trim();
const rows = rules.map(
  ({ id, keywords, entropy, secretGroup, pattern }) =>
    `  [${[id, keywords.join(' '), entropy, secretGroup, pattern].map((one) => (typeof one === 'number' ? one : quoted(one))).join(', ')}],`,
);
writeFileSync(
  'src/adapters/secretlint/gitleaks-rules.ts',
  `/*! Rules of gitleaks ${version} (https://github.com/gitleaks/gitleaks), changed by build/gitleaks-rules.js.

${notice} */

/** Name, lower-case keywords (a text must contain one), minimum entropy, group with the secret (0: the longest, or all), pattern. */
export type GitleaksRule = readonly [string, string, number, number, string];

// biome-ignore format: a table, one rule per row
export const GITLEAKS_RULES: readonly GitleaksRule[] = [
${rows.join('\n')}
];
`,
);
console.log(`${rules.length} rules`);

function quoted(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Writes case-insensitive parts out, because inline flags need Node 23. */
function translate(source) {
  let at = 0;
  const group = (isFolded) => {
    let fold = isFolded;
    let out = '';
    while (at < source.length && source[at] !== ')') {
      const flag = /^\(\?(-?)i\)/.exec(source.slice(at));
      if (flag) {
        fold = flag[1] === '';
        at += flag[0].length;
        continue;
      }
      out += atom(fold);
    }
    return out;
  };
  const atom = (fold) => {
    const rest = source.slice(at);
    const open = /^\((?:\?P<\w+>|\?<\w+>|\?:|\?(-?)([is]):|\?!|(?!\?))/.exec(rest);
    if (open) {
      at += open[0].length;
      const inner = group(open[2] === 'i' ? open[1] === '' : fold);
      at += 1;
      const isCapture = open[0] === '(' || open[0].includes('<');
      return `${open[0] === '(?!' ? '(?!' : isCapture ? '(' : '(?:'}${inner})`;
    }
    if (rest[0] === '[') return characterClass(fold);
    const escaped = /^\\(?:x[0-9a-fA-F]{2}|.)/s.exec(rest);
    if (escaped) {
      at += escaped[0].length;
      return escaped[0] === '\\z' ? '$' : escaped[0];
    }
    const quantifier = /^(?:\{(\d+)(,?)(\d*)\}|[*+])/.exec(rest);
    if (quantifier) {
      at += quantifier[0].length;
      if (quantifier[0] === '*') return `{0,${MOST}}`;
      if (quantifier[0] === '+') return `{1,${MOST}}`;
      const [, least, comma, most] = quantifier;
      return comma === ',' && most === '' ? `{${least},${Number(least) + MOST}}` : quantifier[0];
    }
    at += 1;
    if (rest[0] === '.') return '[^\\n]';
    if (fold && /[a-z]/i.test(rest[0])) return `[${rest[0].toLowerCase()}${rest[0].toUpperCase()}]`;
    return rest[0] === '/' ? '\\/' : rest[0];
  };
  const characterClass = (fold) => {
    const found = /^\[(\^?)((?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(source.slice(at));
    at += found[0].length;
    let inside = found[2].replace('[:alnum:]', 'A-Za-z0-9').replaceAll(/(?<!\\)\[/g, '\\[');
    if (fold)
      inside += [...inside.matchAll(/\\(?:x..|.)|([a-zA-Z])-([a-zA-Z])|([a-zA-Z])/gs)]
        .map(([, from, to, one]) => swap(from === undefined ? (one ?? '') : `${from}-${to}`))
        .join('');
    const last = inside.replace(/^(.*)-([A-Za-z].*)$/s, (all) => all);
    return `[${found[1]}${last.includes('\\-') ? last : dashFirst(last, found[2])}]`;
  };
  const swap = (text) =>
    text.replace(/[a-zA-Z]/g, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
  /** A dash at the end of a class must stay literal when letters are added after it. */
  const dashFirst = (inside, given) =>
    given.endsWith('-') && inside.length > given.length
      ? `${given.slice(0, -1)}\\-${inside.slice(given.length)}`
      : inside;
  return group(false);
}
