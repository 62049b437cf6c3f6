/** Minimum entropy in bits per character: of values of 16 characters or more, of shorter ones and of digits only, and of passwords. */
const TOKEN_ENTROPY = 3;
const SHORT_ENTROPY = 2.7;
const PASSWORD_ENTROPY = 2.5;

/**
 * Whether the value after a name such as `token` is a credential, and not a name, path, placeholder or code. A short value counts
 * only as a password, and only if it mixes three kinds of characters.
 */
export function looksSecret(value: string, password: boolean): boolean {
  if (value.length < 8 || value.length > MAX_LENGTH || isPlaceholder(value) || CODE.test(value)) return false;
  if (value.startsWith('[REDACTED:')) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const isMixed = kinds === 4 || NOT_IN_NAMES.test(value) || !isWordy(value);
  if (password && kinds >= 3 && isMixed && entropy(value) >= PASSWORD_ENTROPY) return true;
  if (/^\d{20,}$/.test(value)) return entropy(value) >= SHORT_ENTROPY;
  if (!/[A-Za-z]/.test(value) || isWordy(value)) return false;
  if (!/\d/.test(value)) return value.length >= 16 && hasNoWords(value);
  if (value.length < 16) return value.length >= 12 && changes(value) >= 4 && entropy(value) >= SHORT_ENTROPY;
  return entropy(value) >= TOKEN_ENTROPY;
}

/** Number of changes between small letters, capitals and digits. Names have fewer than random values. */
export function changes(value: string): number {
  return value.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
}

/** Letters in both cases, in short parts or in unpronounceable parts. Names have one or two of those, such as `HTTP`. */
function hasNoWords(value: string): boolean {
  if (!/^[A-Za-z+/_-]+$/.test(value)) return false;
  const parts = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const unspoken = parts.filter((part) => !/[aeiouy]/i.test(part)).length;
  const isChopped = value.length >= 24 && parts.length * 2.8 >= value.length;
  return isChopped || (unspoken >= 4 && unspoken * 2.5 >= parts.length);
}

/** Keys in JSON and in key files have no line breaks. */
const MAX_LENGTH = 8192;

/** Whether a value stands for a credential in documentation: `your_token`, `xxxxxxxx`, `abcabcabc`. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || CROSSED_OUT.test(value) || isRepetitive(value);
}

/** A random value may repeat a character six times, but must have enough other characters. */
function isRepetitive(value: string): boolean {
  const rest = value.replace(/(.)\1{5,}/g, '');
  return rest.length < value.length && (rest.length < 12 || new Set(rest).size < 8);
}

/** Characters used in passwords but not in names. */
const NOT_IN_NAMES = /[^A-Za-z0-9_.:/-]/;

const PLACEHOLDER =
  /^(?:your|my|the|some|insert|replace|change|enter|paste|put)[_-]|\*\*\*|\.\.\.|…|example|placeholder|change-?me|redacted|dummy|^(?:test|fake|mock|sample)[_-]?(?:password|secret|token|key)/i;

/** Three equal letters within a random value are chance. */
const CROSSED_OUT = /x{4}|X{4}|(?<![A-Za-z0-9])[xX]{3}|^[xX]{3}|[xX]{3}$/;

/** Variables, templates, member access, calls, attributes of elements (`mode={cloudMode}`), paths, addresses, names of resources, dates, sentences of languages without spaces. */
const CODE =
  /^[<@#~]|^\$(?:\w+(?:$|[/.:,-])|[({])|^%(?:\w+%|[a-z@{(])|^\/(?![A-Za-z0-9+/]{40,}={0,2}$)|\$\{|\{\{|^\.{1,2}\/|^[A-Za-z]:[\\/]|^[a-z][a-z0-9+.-]*:\/\/|^arn:[a-z-]+:|^(?:process|os|env|import|self|this|config|settings|options|req|request|ctx|data|args|user|secrets|vars)\.|^[a-z_]+=(?:[A-Z]?[a-z]+|\d+)$|^\d{4}-\d\d-\d\d|\(\)|\?\.|[^\x00-\x7f]{4}|=>|::|->|^[A-Za-z_$]+=\{[A-Za-z_$.]+\}$|^[A-Za-z_$.]+[([][A-Za-z_$.,]*[)\]]$|^[A-Za-z_$]+\d{0,2}(?:\.[A-Za-z_$]+\d{0,2})+$|\.(?:ts|js|tsx|jsx|py|go|rs|md|json|ya?ml|toml|sh|txt|html|css|env|pem|key|lock)$/;

/** Whether the value looks like a name: each part between separators and capitals is a word or a number. */
export function isWordy(value: string): boolean {
  const parts = value
    .split(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[A-Z][a-z]{2})/)
    .filter((part) => part !== '');
  const words = parts.filter((part) =>
    /^(?:[A-Za-z]?[a-z]{2,}|[A-Z]{2,}|\d{1,8}|[a-zA-Z]|[A-Za-z]\d{1,2}[A-Za-z]|[vV]\d{1,3}|[A-Za-z]{3,}\d{1,3})$/.test(
      part,
    ),
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
