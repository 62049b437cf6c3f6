import { type Marked, replaceMarked } from './marked-text.ts';

/**
 * Makes text from a transcript safe to print: removes terminal control sequences, control characters except newline and tab,
 * bidirectional overrides and invisible characters.
 */
export function sanitize(text: string): string {
  return HARMLESS.test(text) ? text : text.replace(UNSAFE, harmless);
}

/** `sanitize` on one line: every run of white space becomes a space. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replace(SPACE, ' ').trim();
}

/** `sanitize` on one line that keeps its spaces, for commands and paths. */
export function sanitizeCommand(text: string): string {
  return sanitize(text).replaceAll('\n', ' ').trim();
}

/** `sanitizeLine` for marked text; the ranges stay on their words. */
export function sanitizeMarked(marked: Marked): Marked {
  const safe = HARMLESS.test(marked.text) ? marked : replaceMarked(marked, UNSAFE, harmless);
  return replaceMarked(
    replaceMarked(safe, SPACE, () => ' '),
    EDGE,
    () => '',
  );
}

/** Text without anything unsafe: most scripts, punctuation and symbols. Compiling `UNSAFE` takes 2 ms. */
const HARMLESS =
  /^[\t\n -~\xa0-\xac\xae-\u034e\u0370-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u2bff\u3000-\u3163\u3190-\ud7ff]*$/;
const SPACE = /\s+/g;
const EDGE = /^ | $/g;

// A control string's payload ends at any control character, so that a run of openers takes linear time.
const CONTROL_STRING = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)/u;
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/u;
const OTHER_ESCAPE = /\x1b[ -/]*[0-~]/u;
const LINE_END = /\r\n?|[\v\f\x85\u2028\u2029]/u;
const CONTROL = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/u;
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/u;
/**
 * Characters that are invisible on their own. They include tags (U+E0000 to U+E007F), which spell ASCII that only a model sees. A
 * joiner is kept between two parts of an emoji, and between two letters of a script that it shapes; a variation selector is kept
 * after an emoji or keycap whose style it selects.
 */
const JOINED_SCRIPT = ['Arab', 'Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const JOINS_EMOJI = String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})`;
const JOINS_LETTERS = String.raw`(?<=[${JOINED_SCRIPT}])[\u200c\u200d](?=[${JOINED_SCRIPT}])`;
const SELECTS_LOOK = String.raw`(?<=[\p{Extended_Pictographic}#*0-9])[\ufe0e\ufe0f](?:(?=\u20e3)|(?<!#.|\*.|[0-9].))`;
const INVISIBLE = new RegExp(
  String.raw`(?!${JOINS_EMOJI}|${JOINS_LETTERS}|${SELECTS_LOOK})[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`,
  'u',
);
const BROKEN = /\p{Surrogate}/u;
const UNSAFE = new RegExp(
  [CONTROL_STRING, CONTROL_SEQUENCE, OTHER_ESCAPE, LINE_END, CONTROL, REORDERING, INVISIBLE, BROKEN]
    .map((part) => part.source)
    .join('|'),
  'gu',
);

function harmless(found: string): string {
  if (/^[\r\v\f\x85\u2028\u2029]/.test(found)) return '\n';
  return /^[\ud800-\udfff]$/.test(found) ? '\ufffd' : '';
}
