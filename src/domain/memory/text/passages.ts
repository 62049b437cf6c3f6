import { sentencesOf } from './sentences.ts';

/** A line of Markdown, and the heading above it. */
export interface Passage {
  /** The line as written, trimmed; several if an editor wrapped it. */
  raw: string;
  /** Without emphasis, list and heading marks. */
  text: string;
  /** The nearest heading or label above it, as plain text; empty if there is none. */
  label: string;
  form: 'heading' | 'bullet' | 'prose';
  /** A heading's level, 1 to 6; a bullet's indentation. */
  depth: number;
  /** What a line that ends with a colon announces: the code or the nested list below it; the code below a heading. Else empty. */
  below: string;
  /** Once they were asked for; see sentencesIn. */
  sentences?: string[];
}

/** The sentences of a passage, which several rules read. */
export function sentencesIn(passage: Passage): string[] {
  passage.sentences ??= sentencesOf(passage.text);
  return passage.sentences;
}

/** Longer texts are cut off: what matters comes first. */
const LONGEST_TEXT = 40_000;
const MAX_LINES = 600;
const LONGEST_LINE = 1200;

/** In UTF-16 units, with the line above it. A list's items are excerpts of that length. */
const LONGEST_ITEM = 280;
const LONGEST_BELOW = 480;

/** The meaningful lines of a text: without code, tables, quotations and rules. */
export function passagesOf(text: string): Passage[] {
  const { passages, code } = linesOf(text);
  for (const [at, passage] of passages.entries())
    if (passage.form === 'heading' || announces(passage))
      passage.below = belowOf(passages, at, code.get(passage));
  return passages;
}

/** Whether a line ends with a colon. */
export function announces({ text, raw }: Passage): boolean {
  return text.endsWith(':') || /:\**$/.test(raw);
}

function belowOf(passages: Passage[], at: number, code: string[] | undefined): string {
  const { text, form, depth } = passages[at] as Passage;
  const room = (form === 'bullet' ? LONGEST_ITEM : LONGEST_BELOW) - text.length - 4;
  if (code !== undefined) return codeOf(code, room);
  if (form !== 'bullet') return '';
  let below = '';
  for (const nested of passages.slice(at + 1)) {
    if (nested.form !== 'bullet' || nested.depth <= depth) break;
    const item = nested.text.replace(/[.;:]$/, '');
    if (below.length + item.length + 2 > room) break;
    below = below === '' ? item : `${below}; ${item}`;
  }
  return below;
}

/** The first lines of a code block; its first item is the language. Commands are separated, other code is not. */
function codeOf([language = '', ...lines]: string[], room: number): string {
  const isShell = /^(?:ba|z)?sh$|^(?:shell|console)/i.test(language);
  let code = '';
  for (const line of lines) {
    if (code.length + line.length + 2 > room) break;
    code = code === '' ? line : `${code}${isShell ? '; ' : ' '}${line}`;
  }
  return code === '' || code.includes('`') ? code : `\`${code}\``;
}

function linesOf(text: string): { passages: Passage[]; code: Map<Passage, string[]> } {
  const code = new Map<Passage, string[]>();
  const passages: Passage[] = [];
  let label = '';
  let fence = '';
  let wrapped: Passage | undefined;
  for (const line of text.slice(0, LONGEST_TEXT).toWellFormed().split('\n', MAX_LINES)) {
    const raw = shortened(line.trim());
    const begin = BEGINS.exec(raw)?.[0] ?? '';
    const mark = begin === '```' || begin === '~~~' ? begin : '';
    const above = passages.at(-1);
    const continued = wrapped;
    wrapped = undefined;
    if (mark !== '' && fence === '' && above !== undefined && !code.has(above))
      code.set(above, [raw.slice(mark.length)]);
    else if (mark === '' && fence !== '' && raw !== '' && above !== undefined) code.get(above)?.push(raw);
    if (mark !== '') fence = fence === '' ? mark : mark === fence ? '' : fence;
    if (mark !== '' || fence !== '' || raw === '' || (begin !== '' && NOT_PROSE.test(raw))) continue;
    const heading = begin === '#' ? /^(#{1,6})\s+(\S.*)$/.exec(raw) : null;
    if (heading !== null) {
      label = labelOf(heading[2] ?? '');
      passages.push({ raw, text: label, label, form: 'heading', depth: heading[1]?.length ?? 1, below: '' });
      continue;
    }
    if (continued !== undefined && goesOn(continued, raw)) {
      continued.text += ` ${plain(raw)}`;
      continued.raw += `\n${raw}`;
      wrapped = continued;
      continue;
    }
    const isBullet = begin !== '' && BULLET.test(raw);
    const named = isBullet ? null : labelled(raw);
    if (named !== null) label = named.label;
    const rest = plain(named === null ? raw.replace(BULLET, '') : named.rest);
    if (rest === '') {
      passages.push({ raw, text: label, label, form: 'heading', depth: 7, below: '' });
      continue;
    }
    const depth = isBullet ? line.length - line.trimStart().length : 0;
    wrapped = { raw, text: rest, label, form: isBullet ? 'bullet' : 'prose', depth, below: '' };
    passages.push(wrapped);
  }
  return { passages, code };
}

/** Whether a line goes on with the one above it, which an editor wrapped: its first word did not fit there. */
function goesOn({ raw: above }: Passage, raw: string): boolean {
  const before = above.slice(above.lastIndexOf('\n') + 1);
  const width = before.length + 1 + (/^\S+/.exec(raw)?.[0].length ?? 0);
  const isWrapped = width > NARROWEST && before.length <= WIDEST && !ENDED.test(before);
  return isWrapped && WITHIN.test(raw) && above.length + raw.length < LONGEST_LINE;
}

/** The columns at which editors wrap. */
const [NARROWEST, WIDEST] = [72, 120];
const ENDED = /[.!?:;。！？][)\]"'”’`*]{0,3}$/;
const WITHIN = /^(?:[\p{Ll}(`]|\d(?!\d{0,2}[.)]))/u;

function shortened(line: string): string {
  return line.length <= LONGEST_LINE ? line : line.slice(0, LONGEST_LINE).toWellFormed();
}

/** The text on one line, without Markdown. */
export function plain(text: string): string {
  if (!MARKED.test(text)) return text.trim();
  return text
    .replace(/\[([^[\]\n]{1,300})\]\([^()\n]{1,500}\)/g, '$1')
    .replace(/\*\*|__|(?<![\w`])[*_](?=\w)|(?<=\w)\*(?!\w)/g, '')
    .replace(/^(?:[✅✓✔☑🎉🚀⚠❌\s]|\ufe0f){1,20}/u, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Most lines have no marks, and testing for one is cheaper than five replacements. */
const MARKED = /[*_[\]\t\n\r\u00a0\u2000-\uffff]| {2}/;
const BULLET = /^(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
/** Whether a list marks the item as done: `- [x] Add a test`. */
export function isTicked({ raw }: Passage): boolean {
  return TICKED.test(raw);
}

const TICKED = /^(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[xX]\]|[✅✓✔☑])/u;
/** Marks of code, headings, tables, quotations, elements, rules and lists. */
const BEGINS = /^(?:```|~~~|[#|><=*•+\d-])/;
const NOT_PROSE = /^(?:\||>|<\/?[a-z]|-{3,}$|={3,}$|\*{3,}$)/i;

/** `**Root cause:** the cache`, `Root cause:`, `**Summary**`. */
function labelled(raw: string): { label: string; rest: string } | null {
  if (raw.startsWith('**')) {
    const title = TITLE.exec(raw);
    if (title !== null) return { label: labelOf(`${title[1]} ${title[2]}`), rest: '' };
    const bold = /^\*\*([^*\n]{2,80})\*\*\s{0,3}[:—–-]?\s*(.*)$/.exec(raw);
    // `**Expand the type** with three values:` and `**However**, …` are sentences that begin in bold.
    if (bold === null || SENTENCE.test(raw)) return null;
    return { label: labelOf(bold[1] ?? ''), rest: bold[2] ?? '' };
  }
  if (!raw.includes(':')) return null;
  const bare = /^([A-Z][\w'’ /-]{2,50}):\s*(.*)$/.exec(raw);
  if (bare === null || (bare[2] !== '' && !KNOWN_LABEL.test(bare[1] ?? ''))) return null;
  return { label: labelOf(bare[1] ?? ''), rest: bare[2] ?? '' };
}

/** `**Fix 1: Retry the write** (two places):` */
const TITLE = /^\*\*([^*\n]{2,80})\*\*\s{1,3}(\([^()\n]{1,80}\)):?$/;
const SENTENCE = /^\*\*[^*\n]{1,79}[^*\n:]\*\*(?:\s{1,3}[(\p{Ll}]|[,;])/u;
const KNOWN_LABEL =
  /^(?:the )?(?:root cause|cause|problem|issue|fix|solution|decision|conclusion|summary|result|next steps?|todo|goal|recommendation|note)s?$/i;

function labelOf(text: string): string {
  return plain(text.replace(/^\d{1,3}[.)]\s+/, '').replace(/[:：]\s*(?:\*+\s*)?$/, ''));
}
