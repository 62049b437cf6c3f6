import { sentencesOf } from './sentences.ts';

/** What a text says is closed, done, fixed, merged or resolved, by name, unless it also says that it is not. */
export function closedIn(text: string): Set<string> {
  const closed = new Set<string>();
  if (!DONE.test(text)) return closed;
  const left: string[] = [];
  for (const sentence of text.split('\n').flatMap(sentencesOf))
    if (NOT.test(sentence)) left.push(...namesIn(sentence));
    else for (const name of namesIn(donePart(sentence))) closed.add(name);
  for (const name of left) closed.delete(name);
  return closed;
}

/** Whether all names in a text are among them. One that names nothing is not. */
export function namesOnly(text: string, names: Set<string>): boolean {
  if (names.size === 0) return false;
  const own = namesIn(text);
  return own.length > 0 && own.every((name) => names.has(name));
}

/** Code spans and references such as `#15`; a reference without the owner of its repository. */
function namesIn(text: string): string[] {
  return [...text.matchAll(NAME)]
    .map(([, span, reference]) => (span ?? reference ?? '').trim().toLowerCase())
    .map((name) => (/#\d+$/.test(name) ? name.slice(name.lastIndexOf('/') + 1) : name))
    .filter((name) => name !== '' && !COMMON.test(name));
}

const NAME = /`([^`\n]{1,100})`|((?:[\w./-]{1,80})?#\d{1,7})\b/g;
/** Where everything happens. */
const COMMON = /^(?:origin\/)?(?:main|master|develop|head)$/;

/** `X is closed`, `Closed X in Y`: the X. */
function donePart(sentence: string): string {
  const begins = BEGINS.exec(sentence);
  if (begins !== null)
    return sentence.slice(begins[0].length).split(/ (?:as|by|for|from|in|into|on|to|with) /, 1)[0] ?? '';
  return sentence.slice(0, IS_DONE.exec(sentence)?.index ?? 0);
}

const DONE = /\b(?:closed|done|completed?|fixed|merged|resolved)\b/i;
const IS_DONE =
  /\b(?:is|are|was|were|been|got)(?: (?:all|already|also|both|now))? (?:closed|done|completed?|fixed|merged|resolved)\b/i;
const BEGINS =
  /^[-*• ]{0,4}(?:(?:i|we)(?:(?:'|’)ve| have)? )?(?:now |also )?(?:closed|completed|fixed|merged|resolved)\b/i;
const NOT =
  /\b(?:not|never|still|yet|after|before|if|once|when|whether|until|unless|can|could|must|should|will|would|needs?|to be|remains?|pending|open)\b|n(?:'|’)t\b|\?$/i;
