/** Minimum entropy in bits per character, for values of 16 characters or more and for shorter passwords. */
const TOKEN_ENTROPY = 3;
const PASSWORD_ENTROPY = 2.5;

/**
 * Whether the value after a name such as `token` is a credential, and not a name, path, placeholder or code. A short value counts
 * only as a password, and only if it mixes three kinds of characters.
 */
export function looksSecret(value: string, password: boolean): boolean {
  if (value.length < 8 || value.length > LONGEST || isPlaceholder(value) || CODE.test(value)) return false;
  if (value.startsWith('[REDACTED:')) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const isMixed = kinds === 4 || NOT_IN_NAMES.test(value) || !isWordy(value);
  if (password && kinds >= 3 && isMixed && entropy(value) >= PASSWORD_ENTROPY) return true;
  if (value.length < 16 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return entropy(value) >= TOKEN_ENTROPY && !isWordy(value);
}

/** Keys in JSON and in key files have no line breaks. */
const LONGEST = 8192;

/** Whether a value stands for a credential in documentation: `your_token`, `xxxxxxxx`, `abcabcabc`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || isRepetitive(value);
}

/** Random values may have six equal characters in a row, but not little else. */
function isRepetitive(value: string): boolean {
  const rest = value.replace(/(.)\1{5,}/g, '');
  return rest.length < value.length && (rest.length < 12 || new Set(rest).size < 8);
}

/** Characters used in passwords but not in names. */
const NOT_IN_NAMES = /[^A-Za-z0-9_.:/-]/;

const PLACEHOLDER =
  /^(?:your|my|the|some|insert|replace|change|enter|paste|put)[_-]|xxx|\*\*\*|\.\.\.|…|example|placeholder|change-?me|redacted|dummy|^(?:test|fake|mock|sample)[_-]?(?:password|secret|token|key)/i;

/** Variables, templates, member access, calls, paths, addresses, dates. */
const CODE =
  /^[$<%@#/~]|\$\{|\{\{|^\.{1,2}\/|^[A-Za-z]:[\\/]|^[a-z][a-z0-9+.-]*:\/\/|^(?:process|os|env|import|self|this|config|settings|options|req|request|ctx|data|args|user|secrets|vars)\.|^\d{4}-\d\d-\d\d|\(\)|=>|::|->|^[A-Za-z_$]+\d{0,2}(?:\.[A-Za-z_$]+\d{0,2})+$|\.(?:ts|js|tsx|jsx|py|go|rs|md|json|ya?ml|toml|sh|txt|html|css|env|pem|key|lock)$/;

/** Whether the value looks like a name: each part between separators and capitals is a word or a number. */
function isWordy(value: string): boolean {
  const parts = value
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[A-Z][a-z]{2})/)
    .filter((part) => part !== '');
  const words = parts.filter((part) =>
    /^(?:[A-Za-z]?[a-z]{2,}|[A-Z]{2,}|\d{1,8}|[a-zA-Z]|[vV]\d{1,3}|[A-Za-z]{3,}\d{1,3})$/.test(part),
  );
  return words.length === parts.length && !/^[0-9a-f-]{32,}$/i.test(value);
}

/** Shannon entropy in bits per character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
