import type { Finding } from '../../domain/text/redaction.ts';
import { changes, looksSecret } from './looks-secret.ts';

/** Finds random-looking values after names of secrets: `password=…`, `"api_key": "…"`. */
export function findNamedSecrets(text: string): Finding[] {
  const findings = FOREIGN_HINT.test(text) ? findAssigned(text, FOREIGN_ASSIGNMENT) : [];
  return HINT.test(text)
    ? [...findings, ...findAssigned(text, ASSIGNMENT), ...findKeyVariables(text)]
    : findings;
}

function findAssigned(text: string, assignment: RegExp): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(assignment)) {
    const { name = '', quoted, bare } = match.groups ?? {};
    const isCall = bare !== undefined && text[match.index + match[0].length] === '(';
    if (isCall || REFERENCE.test(text.slice(Math.max(0, match.index - 100), match.index))) continue;
    const value = quoted ?? bareValue(bare ?? '', text, match.index);
    if (!isSecretIn(name, value)) continue;
    const end =
      match.index + match[0].length - (quoted === undefined ? (bare ?? '').length - value.length : 0);
    findings.push(endingAt(end, value));
    if (quoted !== undefined) findings.push(...further(text, end, PIECE, () => true));
    findings.push(...further(text, end, ITEM, (item) => isSecretIn(name, item)));
  }
  return findings;
}

/** The part of an Amazon resource name before a name: `arn:aws:secretsmanager:eu-west-1:123456789012:`. */
const REFERENCE = /\barn:[\w:-]{1,90}:$/;

/** Values that follow each other up to one that is no secret; an empty one is none. */
function further(text: string, from: number, pattern: RegExp, isSecret: (value: string) => boolean) {
  const findings: Finding[] = [];
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 1: value = '' } = match;
    if (!isSecret(value)) break;
    findings.push(endingAt(pattern.lastIndex, value));
  }
  return findings;
}

/** A value in several pieces: `"…" + "…"`, or one piece per line. */
const PIECE = /["'`]\s{0,3}(?:[+.\\]\s{0,40}|\n\s{0,40})["'`]([^\s"'`\\]{4,8192})(?=["'`](?!\s{0,3}[:=]))/y;
/** The rest of a list: `["…", "…"]`, `A,B`, or one item per line of YAML. */
const ITEM =
  /\\{0,8}["'`]?(?:[ \t]{0,3},\s{0,40}|\s{0,3}\n[ \t]{0,40}-[ \t]{1,3})\\{0,8}["'`]?([^\s"'`\\,;:=<>(){}[\]|&]{8,8192})(?![^\s"'`\\,\]}]|["'`]?\s{0,3}[:=])/y;

function endingAt(end: number, value: string): Finding {
  return { rule: RULE, start: end - value.length, end };
}

/** A service's key, where the name says which service: `const mapboxKey = "…"`. Many keys are not secret, so the value must look random. */
function findKeyVariables(text: string): Finding[] {
  const find = (pattern: RegExp, isSecret: (name: string, value: string, at: number) => boolean) =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: all, groups, index }) => {
      const { name = '', value = '' } = groups ?? {};
      return isSecret(name, value, index) ? [endingAt(index + all.length, value)] : [];
    });
  return [
    ...find(KEY_VARIABLE, (name, value) => !KEYS_OF_DATA.test(name) && isRandom(value)),
    ...find(KEY_SETTING, (_, value, at) => {
      if (!isRandom(value) && !isHexKey(value)) return false;
      const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? '';
      return name !== '' && !DATA_SETTING.test(name);
    }),
    // Under `key`, digests name what is cached.
    ...find(QUERY_KEY, (name, value) =>
      name === 'key' ? isRandom(value) && !HEX.test(value) : looksSecret(value, false),
    ),
  ];
}

/** The value without punctuation after it, and without the host of a URL (`https://x-access-token:…@github.com`). */
function bareValue(bare: string, text: string, at: number): string {
  const isLogin = bare.includes('@') && /:\/\/[^\s/@:]*$/.test(text.slice(Math.max(0, at - 60), at));
  return isLogin ? bare.slice(0, bare.indexOf('@')) : bare.replace(/(?<![.,:;!?])[.,:;!?]+$/, '');
}

/** The same for a value without its name in the text, such as a JSON property's. */
export function findUnderName(name: string, text: string): Finding[] {
  if (!SECRET_NAME.test(name)) return [];
  const value = /^\s*(?:(?:bearer|basic|token|apikey)\s+)?(\S+)\s*$/i.exec(text)?.[1] ?? '';
  const start = text.lastIndexOf(value);
  return isSecretIn(name, value) ? [endingAt(start + value.length, value)] : [];
}

/** Whether a name is a secret's, as a whole. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a value under a secret's name is a secret. */
export function isSecretIn(name: string, value: string): boolean {
  return looksSecret(value, PASSWORD_NAME.test(name));
}

const RULE = 'named-secret';
/** A password in other languages. */
const FOREIGN =
  'passwort|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord|has[łl]o|l(?:ö|o)senord|parola|пароль|パスワード|密[码碼]|口令|비밀번호';

const NAMES = [
  'pass(?:word|wd|phrase|code)',
  '(?<![a-z])(?:db|smtp|imap|mail|ftp|ssh|user|root|admin|redis|mysql|pg|rabbitmq)?pass',
  'pwd',
  '(?<![a-z])pw(?![a-z])',
  '(?<![a-z])psk',
  '(?:api|access|auth|private|pre[_-]?shared|secret|signing|encryption|master|account|storage|webhook|license|deploy|service|subscription)[ _-]?key',
  'secret(?:[_-]?id)?',
  'token',
  'bearer',
  'credentials?',
  '(?<=[_-])(?:pat|salt)',
  '(?<=::)add-mask:',
  '(?<=[_"\':/])_?auth(?=\\\\{0,8}["\']|=)',
  'key-data',
  'conn(?:ection)?[_-]?str(?:ing)?',
].join('|');
const SUFFIX = 's?(?:[_-](?:key|value|token|prod|production|dev|test|staging|live|base|base64|\\d{1,3}))?';

const HINT =
  /pass|pwd|\bpw\b|psk|secret|token|key|bearer|credential|auth|[?&]sig=|conn|[_-](?:pat|salt)\b|add-mask|appid/i;
const FOREIGN_HINT = new RegExp(FOREIGN, 'i');
const SECRET_NAME = new RegExp(`(?:${NAMES}|${FOREIGN}|authorization)${SUFFIX}$`, 'i');

/** What may stand between a name and its value. */
const BETWEEN = [
  // `name = other || "value"`
  /\\{0,8}["'`]?\s{0,3}[:=]\s{0,3}[\w.?]{1,60}\s{1,3}(?:\|\||\?\?|or)\s{1,3}(?=["'`])/,
  // `name = "value"`, `name: value`, also with the value on the next line
  /\\{0,8}["'`\]]{0,2}[ \t]{0,40}\s{0,3}(?::=|=>|\?\?=|={1,3}|[:：])(?:\s{0,3}[|>][-+]?\s{1,40}|\s{0,3}\n[ \t]{0,40}-[ \t]{1,3}|\s{0,3}[(\\]?\s{1,40}(?=["'`])|\*{0,2}[ \t]{0,40}|\s{0,3})/,
  // `name — "value"`
  /["'`]?\s{1,3}[—–-]{1,2}\s{1,3}(?=["'`])/,
  // `name").send_keys("value"`, `name']').type('value'`
  /["'`)\]]{1,5}\.(?:fill|type|send_?[kK]eys|press_?[sS]equentially|set_?[vV]alue)\((?=["'`])/,
  // `name: Type = "value"`
  /:\s{0,2}[\w&<>?:'[\] ]{1,40}=\s{0,3}(?=["'`]|Some\()/,
  // `name("value")`, `"name", "value"`
  /(?:\(|\\{0,8}["'`],\s{0,40})(?=\\{0,8}["'`])/,
  // `<name>value<`, `<key>name</key><string>value<`
  /["']?(?:<\/key>\s{0,40}<string|<\/t[hd]>\s{0,40}<td)?>/,
  // `- name: NAME` and `value: …`, `"name": "NAME", "value": "…"`, `name="NAME" value="…"`
  /\\{0,8}["'`]?[\s,]{1,40}\\{0,8}["']?value\\{0,8}["']?\s{0,3}[:=]\s{0,3}/,
  // What a browser's tool types: `"name":"Password","ref":"e12","value":"…"`, `"element":"Password field","text":"…"`
  /(?: field| input| textbox| box)?\\{0,8}"(?:,\s{0,3}\\{0,8}"[a-z]{1,12}\\{0,8}":\s{0,3}\\{0,8}"[\w-]{0,20}\\{0,8}"){0,3},\s{0,3}\\{0,8}"(?:value|text)\\{0,8}":\s{0,3}(?=\\{0,8}")/,
  // `variable "name" { type = string, default = "value"`
  /"\s{0,3}\{\s{1,40}(?:(?:type|description|sensitive)\s{0,20}=[^\n=]{0,100}(?<!\s)\s{1,40}){0,3}default\s{0,20}=\s{0,3}/,
  // A row of a table in Markdown or CSV
  /`?\s{1,20}\|\s{1,20}/,
  /,(?=\S{16})/,
  // The field of a form
  /["']\r?\n\r?\n/,
  // In an address: `%22name%22%3A%22value`
  /(?:%22)?%3[AD](?:%22)?/,
  // `name value`, `name is value`, `--name value`
  /\s{1,20}(?:is\s{1,3})?(?=\S{12})/,
  /(?<=--[\w-]{1,40})\s{1,3}(?=\S{8})/,
  /["']?\s{1,3}--(?:value|secret-string|data|body)[\s=]{1,3}/,
].map(({ source }) => source);
const ASSIGNMENT = assignmentTo(`(?:${NAMES})${SUFFIX}|authorization|[?&]sig`);
const FOREIGN_ASSIGNMENT = assignmentTo(FOREIGN);

function assignmentTo(names: string): RegExp {
  return new RegExp(
    `(?<name>${names})(?:${BETWEEN.join('|')})` +
      // `Some("value")`, `q(value)`; `Bearer value`
      /(?:[A-Z]?[a-z]{1,12}\((?=["'`][^\s"'`\\]{8,8192}["'`]\))|qq?[({])?/.source +
      // `["value"`, `b"value"`
      /(?:\[\s{0,40})?(?:[bru]{1,2}(?=\\{0,8}["'`]))?/.source +
      /(?:(?:\\{0,8}["'`])?(?:bearer|basic|token|apikey)\\?\s{1,3})?/.source +
      /(?:\\{0,8}["'`](?<quoted>[^\s"'`\\]{8,8192})(?=\\{0,8}["'`])|(?<bare>[^\s"'`\\,;<>(){}[\]|&]{8,8192}))/
        .source,
    'gi',
  );
}

const KEY_VARIABLE =
  /(?<![A-Za-z0-9])(?<name>[A-Za-z0-9]\w{1,40}Key)["'`]?\s{0,3}[=:]\s{0,3}["'`](?<value>[^\s"'`\\]{12,512})(?=["'`])/g;
const DATA =
  'cache|public|primary|foreign|partition|sort|row|object|storage|query|map|hash|index|group|idempotency|dedupe?|state|session|event|unique|s3|bucket|item|entity|record|lookup|composite|i18n|translation|column|field|block|node|list|file|path|route|commit|content|digest|checksum';
/** Keys that identify rows, files, entries and tests of equality. */
const KEYS_OF_DATA = new RegExp(
  `(?:^|_)(?:${DATA})Key$|(?:${DATA.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())})Key$`,
);

/** The same in settings: `ACME_KEY=…`, `acme-key: …`. */
const KEY_SETTING =
  /[_-](?:key|KEY)\\{0,8}["'`]?\s{0,3}[=:]\s{0,3}\\{0,8}["'`]?(?:base64:)?(?<value>[A-Za-z0-9+/_-]{20,512}={0,2})(?=\\{0,8}["'`]|\\[nr]|[\s,;&]|$)/g;
const QUERY_KEY = /[?&](?<name>key|appid)=(?<value>[A-Za-z0-9_-]{20,512})(?=[&#\s"'`<>)\\]|$)/g;
const HEX = /^[a-f\d]+$/i;
const NAME_BEFORE = /[A-Za-z0-9][\w.-]{1,39}$/;
const DATA_SETTING = new RegExp(`(?:${DATA}|host|ssh|gpg)$`, 'i');

function isHexKey(value: string): boolean {
  return /^[a-f\d]{32,128}$/.test(value) && looksSecret(value, false);
}

/** Stricter than after a secret's name: letters, capitals and digits alternate, and there are no words. */
function isRandom(value: string): boolean {
  return changes(value) >= 4 && looksSecret(value, false);
}

const PASSWORD_NAME = new RegExp(
  `^(?:pass|pwd|(?:${FOREIGN})s?$)|(?:pass|password|passwd|passphrase|pwd|psk|^pw)s?$`,
  'i',
);
