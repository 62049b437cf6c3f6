const LONGEST_SENTENCE = 600;

/** The sentences of a line, except overlong ones. */
export function sentencesOf(line: string): string[] {
  const sentences = ENDS_WITHIN.test(line) ? line.split(BETWEEN) : [line];
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && sentence.length <= LONGEST_SENTENCE);
}

const BETWEEN =
  /(?<!\b(?:i\.e|e\.g|vs|cf|approx)\.|\s\.`)(?<=[.!?。！？]["')\]*`]{0,3})\s+(?=[\p{Lu}\p{Lo}"'`(*\d]|[\p{Ll}]{2,} )/u;
/** Most lines are one sentence, and looking back at each blank takes longer. */
const ENDS_WITHIN = /[.!?。！？]["')\]*`]{0,3}\s/;

/** Whether a sentence makes sense on its own: several words, mostly letters. */
export function isTelling(sentence: string): boolean {
  let letters = 0;
  let others = 0;
  let words = 0;
  let isInWord = false;
  for (let at = 0; at < sentence.length; at += 1) {
    const code = sentence.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 191;
    const isBlank = code === 32 || code === 9 || code === 10;
    if (isLetter) letters += 1;
    else if (!isBlank) others += 1;
    if (!isInWord && (isLetter || (code >= 48 && code <= 57))) words += 1;
    isInWord = !isBlank && (isInWord || isLetter || (code >= 48 && code <= 57));
  }
  if (letters < others) return false;
  if (words >= 4 || (words === 3 && /[`_./]|[a-z][A-Z]/.test(sentence))) return true;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{6}/u.test(sentence);
}

/** `Let me look`, `Now I'll run the tests`: announcements are not worth remembering. */
export function isProcessTalk(sentence: string): boolean {
  return PROCESS.test(sentence.slice(0, LONGEST_SENTENCE).toLowerCase());
}

const PROCESS =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|hmm|wait|actually|yes|right|so|and|then|next|finally|first|also|now)\b[\s,.!:—-]{1,4})*(?:let(?:'|’)?s?\b(?: me\b)?|i(?:'|’)ll\b|i will\b|i(?:'|’)m (?:going|now|checking|reading|running|using|starting|looking|treating|making|adding|updating|opening|also|still|about|re)\b|i am (?:going|now)\b|i need to\b|i should\b|i want to\b|now\b[^.]{0,200}:$|(?:checking|looking|reading|running|starting|updating|creating|adding|fixing|searching|writing|waiting|proceeding|continuing)\b|time to\b|here(?:'|’)?s? (?:is|are|the|what)\b)/;

/** `Absolutely, that is the right way`: a sentence that only agrees, with what was said before. */
export function isAgreement(sentence: string): boolean {
  if (CONCEDES.test(sentence)) return keyWords(sentence.replace(CONCEDES, '')).size < 4;
  const rest = sentence.replace(AGREES, '');
  return rest !== sentence && POINTS.test(rest) && keyWords(rest).size < 3;
}

const AGREES =
  /^(?:absolutely|exactly|yes|yep|yeah|no|correct|right|sure|agreed|indeed)\b[\s,.!:—–-]{1,4}(?:(?:and|but|so)\s)?/i;
/** `Oh, you're absolutely right` */
const CONCEDES =
  /^(?:(?:oh|ah|yes|no|ok(?:ay)?)[\s,.!—–-]{1,4})?you(?:'|’)re (?:\w+ )?(?:right|wrong|correct)\b/i;
const POINTS = /^(?:it|this|that|they|these|those)\b/i;

/** Whether a text ends with a question mark, within quotation marks or Markdown too. */
export function endsWithQuestion(text: string): boolean {
  return /[?？]["')\]*`]{0,3}$/.test(text);
}

/** `All tests pass`: passing checks are not worth remembering. */
export function isPassingCheck(sentence: string): boolean {
  return sentence.length < 160 && PASSING.test(sentence.toLowerCase());
}

const PASSING =
  /\b(?:tests?|lint(?:ing|er)?|type-?\s?check(?:ing|s)?|typescript|build|biome|checks?|suites?|hooks?|compil\w+)\b[^.]{0,60}\b(?:pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?|successful(?:ly)?|0 (?:errors|failures|issues)|no (?:errors|issues))\b|^(?:all )?(?:clean|done|green|good)\b.{0,30}$|\b\d+ (?:tests )?pass(?:ed|ing)?\b/;

const STOP_WORDS = new Set(
  `a about add added after again all also an and any are as at be because been before both but by can could did do does done
  each else for from get had has have how i if in into is it its just let like make may me more most my new no not now of
  off on one only or other our out over own please same should so some still such than that the their them then there these
  they this those to too under up us use used uses using very want was we were what when where which while who why will
  with without would you your`.split(/\s+/),
);

/** The unique content words of a text, in lower case; names keep their parts. */
export function keyWords(text: string): Set<string> {
  const words = new Set<string>();
  const lower = text.slice(0, LONGEST_SEARCHED).toLowerCase();
  for (const word of lower.match(/^[\x00-\x7f]*$/.test(lower) ? PLAIN_WORD : ANY_WORD) ?? []) {
    if (word.length > 1 && !STOP_WORDS.has(word)) words.add(stem(word));
  }
  return words;
}

const LONGEST_SEARCHED = 4000;
const PLAIN_WORD = /[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*/g;
const ANY_WORD = /[\p{L}\p{N}\p{M}_]+(?:[.-]+[\p{L}\p{N}\p{M}_]+)*/gu;

/** Share of the smaller set that is also in the other, 0 to 1. */
export function overlap(one: Set<string>, other: Set<string>): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size === 0) return 0;
  let common = 0;
  for (const word of small) if (large.has(word)) common += 1;
  return common / small.size;
}

/** Maps `columns` to `column` and `fixed` to `fix`; leaves identifiers unchanged. */
function stem(word: string): string {
  if (word.length < 5) return word;
  const end = ENDS.find((one) => word.endsWith(one));
  if (end === undefined || /[^a-z]/.test(word)) return word;
  return end === 'ies' ? `${word.slice(0, -3)}y` : word.slice(0, -end.length);
}

const ENDS = ['ies', 'ing', 'ed', 'es', 's'];
