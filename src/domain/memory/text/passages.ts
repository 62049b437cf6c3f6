/** A line of Markdown, and the heading above it. */
export interface Passage {
  /** The line as written, trimmed. */
  raw: string;
  /** Without emphasis, list and heading marks. */
  text: string;
  /** The nearest heading or label above it, as plain text; empty if there is none. */
  label: string;
  form: 'heading' | 'bullet' | 'prose';
  /** A heading's level, 1 to 6; a bullet's indentation. */
  depth: number;
}

/** Longer texts are cut off: what matters comes first. */
const LONGEST_TEXT = 40_000;
const MAX_LINES = 600;
const LONGEST_LINE = 1200;

/** The meaningful lines of a text: without code, tables, quotations and rules. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let label = '';
  let fence = '';
  for (const line of text.slice(0, LONGEST_TEXT).split('\n', MAX_LINES)) {
    const raw = line.trim().slice(0, LONGEST_LINE).toWellFormed();
    const mark = /^(?:```|~~~)/.exec(raw)?.[0] ?? '';
    if (mark !== '') fence = fence === '' ? mark : mark === fence ? '' : fence;
    if (mark !== '' || fence !== '' || raw === '' || NOT_PROSE.test(raw)) continue;
    const heading = /^(#{1,6})\s+(\S.*)$/.exec(raw);
    if (heading !== null) {
      label = labelOf(heading[2] ?? '');
      passages.push({ raw, text: label, label, form: 'heading', depth: heading[1]?.length ?? 1 });
      continue;
    }
    const isBullet = BULLET.test(raw);
    const named = isBullet ? null : labelled(raw);
    if (named !== null) label = named.label;
    const rest = plain(named === null ? raw.replace(BULLET, '') : named.rest);
    if (rest === '') {
      passages.push({ raw, text: label, label, form: 'heading', depth: 7 });
      continue;
    }
    const depth = isBullet ? line.length - line.trimStart().length : 0;
    passages.push({ raw, text: rest, label, form: isBullet ? 'bullet' : 'prose', depth });
  }
  return passages;
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
const NOT_PROSE = /^(?:\||>|<\/?[a-z]|-{3,}$|={3,}$|\*{3,}$)/i;

/** `**Root cause:** the cache`, `Root cause:`, `**Summary**`. */
function labelled(raw: string): { label: string; rest: string } | null {
  const bold = /^\*\*([^*\n]{2,80})\*\*\s{0,3}[:—–-]?\s*(.*)$/.exec(raw);
  if (bold !== null) return { label: labelOf(bold[1] ?? ''), rest: bold[2] ?? '' };
  const bare = /^([A-Z][\w'’ /-]{2,50}):\s*(.*)$/.exec(raw);
  if (bare === null || (bare[2] !== '' && !KNOWN_LABEL.test(bare[1] ?? ''))) return null;
  return { label: labelOf(bare[1] ?? ''), rest: bare[2] ?? '' };
}

const KNOWN_LABEL =
  /^(?:the )?(?:root cause|cause|problem|issue|fix|solution|decision|conclusion|summary|result|next steps?|todo|goal|recommendation|note)s?$/i;

function labelOf(text: string): string {
  return plain(text.replace(/^\d{1,3}[.)]\s+/, '').replace(/[:：]\s*(?:\*+\s*)?$/, ''));
}
