import { LONGEST_TITLE, plainLines, shorten } from './title-line.ts';
import { TELLING, weightOf } from './title-weight.ts';

/** UTF-16 units of a text that are searched for a title: a later one would say little about the text. */
const LOOKED_AT = 8000;

/**
 * A title from a prompt, a plan or an answer, in the writer's own words: its first sentence that says what it is about, else the one
 * that says most. Empty if there is none.
 */
export function tellingTitle(text: string): string {
  let best = '';
  let most = 0;
  for (const { title, isHeading } of meaningfulTitles(text)) {
    const weight = weightOf(title);
    // A heading was written to name the text.
    if (weight >= (isHeading ? 1 : TELLING) && !ROLE.test(title)) return title;
    if (best !== '' && weight <= most) continue;
    best = title;
    most = weight;
  }
  return best;
}

function* meaningfulTitles(text: string): Generator<{ title: string; isHeading: boolean }> {
  const own = withoutPasted(text);
  const headings = new Set(plainLines((own.match(HEADINGS) ?? []).join('\n')).map(withoutOpening));
  const lines = plainLines(own).map(withoutOpening);
  for (const [at, line] of lines.entries()) {
    if (MACHINE.test(line)) continue;
    if (isAnnouncement(line) && lines.slice(at + 1).some(isMeaningful)) continue;
    const sentences = splitSentences(line).filter((sentence) => !ROLE.test(sentence) || sentence === line);
    for (const [first, sentence] of sentences.entries())
      if (isMeaningful(sentence))
        yield { title: shorten(fitting(sentences.slice(first))), isHeading: headings.has(line) };
  }
}

const HEADINGS = /^# .+$/gm;

function withoutOpening(line: string): string {
  return line.replace(GREETING, '').replace(PLAN, '');
}

/** The text without pasted code, markup and program output. */
function withoutPasted(text: string): string {
  return text
    .slice(0, LOOKED_AT)
    .replace(/\r\n?/g, '\n')
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|(?![\s\S]))/gm, '')
    .replace(/^<([a-z][\w-]*)(?:\s[^<>]*)?>[\s\S]*?(?:^|\n?)<\/\1>/gm, '')
    .replace(/\[(?:Pasted text|Image|File)[^[\]\n]*\]/g, '')
    .replace(COMMAND, '')
    .split(/\n\s*\n/)
    .filter((paragraph) => !isOutput(paragraph.trim().split('\n', 1)[0] ?? ''))
    .join('\n\n');
}

/** The name of a slash command; its arguments are the user's own words. */
const COMMAND = /^\s*\/[a-z][\w:-]*(?=\s|$)/;

/** Whether a line is program output or code. */
function isOutput(line: string): boolean {
  if (OUTPUT.test(line) || CODE.test(line)) return true;
  const letters = line.replace(/[^\p{L}\p{M}\s]/gu, '').length;
  return line.length > 20 && letters < line.length / 2;
}

const OUTPUT =
  /^(?:[!➜❯$%] |[^\s@]+@[^\s:~]+[:~ ]|(?:error|warn(?:ing)?|info|hint|note|debug|fatal|traceback|npm)\b[^\w\s]|\[?\d{4}-\d\d-\d\d[T ]\d\d|\d\d:\d\d:\d\d|diff --git|@@ |[+-]{3} |at \S+ \(|[\w ]{2,40} \w{1,40}=[^\s/\\]{0,100}[/\\]\S{0,300}$|<!|<\?|["'][\w-]+["']\s*:)/i;
const CODE =
  /^(?:import|export|const|let|var|def|class|function|public|private|package|using|#include|from \S+ import)\b.*[{(;:='"]|[;{}]$|^[[{(]\S*$/;

const GREETING =
  /^(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: (?:claude|codex|there|all))?\s*[,.!:;-]+\s*/i;
const PLAN = /^Plan\s*[:—-]\s*/i;
/** A role says who does the work, not what the work is. */
const ROLE = /^You(?: are|'re) (?:an?|now)\b/i;

/** `Implement the following plan:`. A line that ends in a colon only announces what follows. */
function isAnnouncement(line: string): boolean {
  return line.endsWith(':') && line.length < 80;
}

/** What agents write into a conversation in the user's place. */
const MACHINE =
  /^(?:Read the output file to retrieve|Operation stopped by hook|Stop hook feedback|\[?Request interrupted|Caveat: The messages below|This session is being continued|Base directory for this skill|Please continue the conversation from where|Unknown (?:skill|slash command)|API Error|Full transcript available at|Agent "|Background command "|Tool loaded\b|ARGUMENTS:|<)/i;

function splitSentences(line: string): string[] {
  return line.split(/(?<=[.!?。！？]["')]?)\s+(?=[\p{Lu}\p{Lo}"'`@]|[\p{L}]{2,} )/u);
}

/** As many whole sentences as fit. */
function fitting(sentences: string[]): string {
  let title = sentences[0] ?? '';
  for (const sentence of sentences.slice(1)) {
    if (title.length + sentence.length >= LONGEST_TITLE) break;
    title += ` ${sentence}`;
  }
  return title;
}

/** Whether a text says anything about a session: it has at least two words that do more than steer the agent. */
function isMeaningful(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_.-]*/gu) ?? [];
  const letters = words.filter(
    (word) => /\p{L}/u.test(word) && !STEERING.has(word.replace(/(?<![.'’_-])[.'’_-]+$/, '')),
  );
  const unspaced = letters.some((word) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(word),
  );
  return letters.length >= 2 || unspaced;
}

const STEERING = new Set(
  `a again all alright also an and any are as at be but can changes commit comit continue could do does done fine for from
  go good great hello here hey hi i if in is it its just last let lets let's me my next no not now of ok okay on one or our
  perfect please pls proceed push recent resume retry right same so sorry start still stop sure test thank thanks that the
  them then there these they think this those to too try up us was way we well what when why with work would yeah yep yes
  you your`.split(/\s+/),
);
