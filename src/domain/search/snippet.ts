import { MARK } from '../point/chunking.ts';
import type { LexicalTokenizer } from './lexical.ts';

export interface Snippet {
  text: string;
  /** Matched words: [start, end) in UTF-16 units. */
  ranges: [number, number][];
}

/** The usual length, in UTF-16 units. */
const SNIPPET_LENGTH = 280;

/** The passage of a text with the greatest weight of wanted stems; its beginning if there are none. */
export function makeSnippet(
  text: string,
  stems: Map<string, number>,
  tokenizer: LexicalTokenizer,
  length = SNIPPET_LENGTH,
): Snippet {
  const { plain, places } = readable(text, new Set(stems.keys()), tokenizer);
  const start = startOf(plain, bestWindow(places, stems, length), length);
  const end = endOf(plain, start, length);
  const lead = start > 0 ? '… ' : '';
  const shift = lead.length - start;
  return {
    text: lead + plain.slice(start, end) + (end < plain.length ? ' …' : ''),
    ranges: places
      .filter(
        (place, at) => place.start >= start && place.end <= end && place.start !== places[at - 1]?.start,
      )
      .map((place) => [place.start + shift, place.end + shift]),
  };
}

/**
 * The text on one line, with a dash for a role mark where the speaker changes, and where the stems are. Lines of JSON and tool calls come last: they count only if
 * nothing else matches.
 */
function readable(text: string, stems: Set<string>, tokenizer: LexicalTokenizer) {
  const located = (lines: string[]) => {
    const plain = fold(lines.join(' '));
    return { plain, places: tokenizer.locate(plain, stems) };
  };
  const lines = spokenLines(text)
    .filter(({ said }) => !MARKS_ALONE.test(said))
    .map(({ said, isAnswer }) => {
      const line = unmarked(said.replace(RAW_JSON, ' … '));
      return isAnswer && !TOOL_LINE.test(line) ? `— ${line}` : line;
    });
  const spoken = lines.filter((line) => !TOOL_LINE.test(line));
  for (const some of [spoken.map((line) => line.replace(JSON_MEMBER, ' … ')), spoken]) {
    const said = located(some);
    if (said.places.length > 0) return said;
  }
  const matching = lines.filter((line) => !TOOL_LINE.test(line) || tokenizer.locate(line, stems).length > 0);
  return located(
    matching.map((line) => (TOOL_LINE.test(line) ? `\`${line.trim()}\`` : line.replace(JSON_MEMBER, ' … '))),
  );
}

/** The lines without their role marks. `isAnswer`: another speaker than before begins. */
function spokenLines(text: string): { said: string; isAnswer: boolean }[] {
  let speaker: string | undefined;
  return text.split('\n').map((line) => {
    const [mark = '', role] = MARK.exec(line) ?? [];
    const now = role?.startsWith('USER') ? 'USER' : (role ?? speaker);
    const isAnswer = speaker !== undefined && now !== speaker;
    speaker = now;
    return { said: line.slice(mark.length), isAnswer };
  });
}

/** A JSON object or array up to the end of the line: pasted, or part of a tool call. */
const RAW_JSON = /(?:\{\s*\\?"[^"]{1,80}\\?"\s*:|\[\s*\{\s*\\?"[^"]{1,80}\\?"\s*:).*$/s;

/** Markdown has no meaning within a line: a heading ends with a colon instead, and bold text becomes plain. */
function unmarked(line: string): string {
  const row = line.trim();
  const isRow = row.length > 1 && row.startsWith('|') && row.endsWith('|');
  const cells = isRow
    ? row
        .slice(1, -1)
        .trim()
        .split(CELL_ENDS)
        .filter((cell) => cell !== '')
    : undefined;
  const plain = (cells === undefined ? line : `${cells.join(' · ')};`)
    .replace(BOLD, '$1')
    .replace(LINK, '$1');
  const heading = /^#{2,6} (.+)/.exec(plain)?.[1]?.trim();
  if (heading === undefined) return plain;
  return /[\p{L}\p{N})`]$/u.test(heading) ? `${heading}:` : heading;
}

/** `| token | age |` becomes `token · age;`. */
const CELL_ENDS = /(?<!\s)\s*(?<!\\)\|\s*/;

/** Not `**kwargs` and not the globs of `src/**\/*.ts`. */
const BOLD = /\*\*([^\s*/](?:[^*]{0,160}[^\s*/])?)\*\*/g;

/** A line of multi-line JSON. */
const JSON_MEMBER = /^\s*"[^"]{1,80}"\s*:.*$/;

/** Brackets, the fence of a block of code, or the rule of a table. */
const MARKS_ALONE = /^[\s{}[\],;]+$|^\s*(?:```|~~~)[^`]*$|^[\s|:]*---[\s|:-]*$/;

/** A link's URL says less than its text, and takes as much room as a sentence. */
const LINK = /(?<![\w)\]])!?\[([^\][]{1,160})\]\((?:https?:|mailto:|[./#]|[\w-]+[./])[^()\s]{0,400}\)/g;

function fold(text: string): string {
  return text
    .replace(MANY_SPACES, ' ')
    .replace(/…(?: …)+/g, '…')
    .trim();
}

/** Excludes single spaces, of which there is one between any two words. */
const MANY_SPACES = / \s+|[^\S ]\s*/g;

/** A tool call's line; see tool-line.ts. */
export const TOOL_LINE =
  /^(?:(?:Bash|Grep|Glob|Task\w*|Agent|Skill|Web\w+|TodoWrite|AskUserQuestion|mcp__\w+): |(?:Edit|Write|Read|MultiEdit|NotebookEdit) \S+$)/;

/** Start of the window with the greatest weight. Each stem counts once, with a little extra for repetitions. */
function bestWindow(
  places: { start: number; end: number; stem: string }[],
  stems: Map<string, number>,
  length: number,
): number {
  let best = 0;
  let bestWeight = -1;
  for (const [index, first] of places.entries()) {
    const seen = new Set<string>();
    let weight = 0;
    for (let at = index; at < places.length; at += 1) {
      const place = places[at];
      if (place === undefined || place.end > first.start + length - spare(length)) break;
      weight += (stems.get(place.stem) ?? 0) * (seen.has(place.stem) ? 0.1 : 1);
      seen.add(place.stem);
    }
    if (weight > bestWeight + 1e-9) {
      bestWeight = weight;
      best = first.start;
    }
  }
  return best;
}

/** What the words may take before the marked ones: less of a short passage. */
function spare(length: number): number {
  return Math.min(40, Math.floor(length / 4));
}

/** Moves back to the start of the sentence if it is close, else to the start of the word. */
function startOf(text: string, at: number, length: number): number {
  const most = spare(length);
  if (at < most) return 0;
  const before = text.slice(Math.max(0, at - 2 * most), at);
  const sentence = Math.max(
    before.lastIndexOf('. '),
    before.lastIndexOf('? '),
    before.lastIndexOf('! '),
    before.lastIndexOf(': '),
  );
  if (sentence >= 0) return at - before.length + sentence + 2;
  const word = text.indexOf(' ', at - most);
  return word >= 0 && word < at ? word + 1 : at;
}

function endOf(text: string, start: number, length: number): number {
  if (text.length - start <= length) return text.length;
  const space = text.lastIndexOf(' ', start + length);
  return space > start + length / 2 ? space : start + length;
}
