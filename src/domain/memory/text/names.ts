import { TECHNOLOGY_NAMES } from './technology-names.ts';

/** By each of its names, what a technology is called. */
const TECHNOLOGIES = new Map<string, string>();
/** English words, which are names only with a capital letter. */
const WORDS = new Set<string>();
/** The words that a name of two words ends with. */
const SECOND = new Set<string>();
for (const row of TECHNOLOGY_NAMES.trim().split(/;\n?/)) {
  const [first = '', ...others] = row.split('|');
  const name = first.replace('^', '');
  if (first !== name) WORDS.add(name);
  for (const one of [name, ...others]) {
    TECHNOLOGIES.set(one, name);
    if (one.includes(' ')) SECOND.add(one.slice(one.indexOf(' ') + 1));
  }
}

/** What a technology is called that has this name; null for any other word. */
export function technologyNamed(word: string): string | null {
  return TECHNOLOGIES.get(word.toLowerCase()) ?? (PART.test(word) ? word.toLowerCase() : null);
}

/** Technologies in a text: those of the dictionary, and parts such as ESP32 by their form. */
export function technologiesIn(text: string): string[] {
  const found = new Set<string>();
  let before = '';
  let at = -1;
  for (const token of text.toLowerCase().match(TOKEN) ?? []) {
    at += 1;
    const name = END.test(token) ? token.replace(/(?:[.-]{1,40}|['’]s?)$/, '') : token;
    const known =
      (SECOND.has(name) ? TECHNOLOGIES.get(`${before} ${name}`) : undefined) ?? TECHNOLOGIES.get(name);
    if (known !== undefined && (!WORDS.has(known) || isName(text, name, at))) found.add(known);
    before = name;
  }
  for (const part of text.match(PARTS) ?? [])
    if (!CODE.test(part) && !TECHNOLOGIES.has(part.toLowerCase())) found.add(part.toLowerCase());
  const [, chosen] = (/[A-Z]{2}/.test(text) && CHOSEN.exec(text)) || [];
  if (chosen !== undefined) found.add(chosen.toLowerCase());
  return [...found];
}

/** Of a token whose last mark is not part of its name. */
const END = /[.\-'’s]$/;
const TOKEN = /(?<![\w./@-])[A-Za-z0-9][\w+#.’'-]{1,40}(?![/\\])/g;
const PART = /^[A-Z]{2,6}\d{2,5}[A-Z0-9]{0,6}$/;
const PARTS = /(?<![\w./@-])[A-Z]{2,6}\d{2,5}[A-Z0-9]{0,6}(?![\w+#/\\]|[.’'-]\w{2}|[.-]\w)/g;
/** Forms of other things: errors, standards, tickets, tests. */
const CODE =
  /^(?:TS|PR|RFC|UTF|SHA|MD|ISO|HTTP|BASE|INT|UINT|FLOAT|CVE|ES|EC|GH|ERR|UC|ID|AC|FR|US|UTC|GMT|WTG|Q|FY|PEP|ADR)\d/;
/** A name that no dictionary has, where it is chosen. */
const CHOSEN =
  /\b(?:decided (?:to use|on)|chose|switch(?:ed)? to|go(?:ing)? with|from [\w+#.-]{2,30} to) ([A-Z][A-Z0-9]{2,9})(?![\w.]*\w)/;

/** React 19; not a year. */
const VERSION_AFTER = /^ v?\d{1,3}(?:\.\d|[\s,;:)]|$)/;
/** Whether a word, the token of this number, has a version, or a capital letter that no beginning of a sentence or heading explains. */
function isName(text: string, word: string, token: number): boolean {
  const at = [...text.matchAll(TOKEN)][token]?.index ?? 0;
  if (!/[A-Z]/.test(text.charAt(at))) return false;
  return (
    VERSION_AFTER.test(text.slice(at + word.length, at + word.length + 6)) ||
    /[a-z\d,`)]\s$/.test(text.slice(Math.max(0, at - 2), at))
  );
}

/** People, by what is said of them. */
export function peopleIn(text: string): string[] {
  const found = [...groupsIn(text, DOES), ...groupsIn(text, ASKED)];
  return [...new Set(found)].filter((name) => !NOBODY.test(name) && technologyNamed(name) === null);
}

const NAME = '([A-Z][a-z]{2,14}(?: [A-Z][a-z]{2,14})?)';
const DOES = new RegExp(
  `\\b${NAME}(?:(?:'|’)s (?:idea|suggestion|proposal|review|comment|opinion|question|machine|laptop|branch|patch)\\b| (?:said|says|wants|wanted|suggested|suggests|proposed|prefers|asked|told|thinks|mentioned|agreed|insisted|objected|reviewed|approved|pointed out|will (?:review|check|ask|confirm|fix|own))\\b)`,
  'g',
);
const ASKED = new RegExp(
  `\\b(?:[Aa]sk(?:ed)?|[Tt]ell|[Tt]old|[Pp]ing(?:ed)?|[Aa]ccording to|[Aa]ssigned to|[Tt]alk(?:ed)? (?:to|with)|[Ss]poke (?:to|with)|[Dd]iscussed with|[Aa]greed with|[Mm]e(?:t|eting) with|[Tt]hanks to|[Cc]c) ${NAME}\\b`,
  'g',
);
const NOBODY =
  /^(?:The|This|That|These|It|We|You|They|He|She|Who|What|There|And|But|Then|Nobody|Someone|Everyone|Anyone|User|Users|Agent|Assistant|Claude|Codex|Gemini|Copilot|Cursor|Reviewer|Coordinator|Worker|Client|Server|Customer|Support|Legal|Marketing|Product|Finance|Security|Team|Jira|Slack|Sentry|Issue|Docs|Documentation|Main|Local|Step|Phase|Task|Plan|Option|January|February|March|April|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/;

/** What the first group of a global pattern matches. `matchAll` would copy the pattern each time, and hardly any text has a name. */
export function groupsIn(text: string, pattern: RegExp): string[] {
  const found: string[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
    if (match[1] !== undefined) found.push(match[1]);
  return found;
}

/** Projects that a text calls so, those with a version, and the session's own if its name is no word. */
export function projectsIn(text: string, own: string | null): string[] {
  const forms = [
    ...(NAMES_ONE.test(text) ? [CALLED, CALLED_AFTER, QUOTED_BEFORE] : []),
    ...(VERSION.test(text) ? [VERSIONED] : []),
  ];
  const found = forms.flatMap((form) => groupsIn(text, form));
  if (own !== null && /\w[-_.\d]\w/.test(own) && hasWord(text, own)) found.push(own);
  return [...new Set(found.map((name) => name.toLowerCase()))];
}

const NAMES_ONE = /project|repo|service|app|plugin|firmware/i;
const VERSION = /-v\d/i;
/** Names with a mark or a digit in them: lora-test. */
const CALLED =
  /\b(?:project|repo(?:sitory)?|service|app|plugin|firmware) [`"“']?((?=[\w.-]*[-\d])[a-z][\w.-]{2,40}\w)/gi;
const CALLED_AFTER =
  /[`"“']?\b(?!(?:pre|non|re|multi|single|sub|self|cross|open|closed)-)((?=[\w.-]*[-\d])[a-z][\w.-]{2,40}\w)[`"”']? (?:project|repo(?:sitory)?|firmware)\b/gi;
const QUOTED_BEFORE = /`((?=[\w.-]*[-\d])[a-z][\w.-]{2,40}\w)` (?:service|app|plugin)\b/gi;
/** control-v1.1 */
const VERSIONED = /(?<![\w/@.-])([a-z][a-z0-9]*(?:-[a-z0-9]+)*-v\d+(?:[.-]\d+)*)\b(?!\/)/gi;

function hasWord(text: string, word: string): boolean {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return at >= 0 && !/[\w/-]/.test(text[at - 1] ?? '') && !/[\w/-]/.test(text[at + word.length] ?? '');
}
