/** A range of a text that must not be stored: UTF-16 offsets, `end` exclusive. */
export interface Finding {
  /** Lower case letters, digits and hyphens. */
  rule: string;
  start: number;
  end: number;
}

/** The replacement for a secret. It needs no escaping in JSON. */
function redactionMark(rule: string): string {
  return `[REDACTED:${rule}]`;
}

/** Replaces findings by marks. Overlapping findings become one mark, named after the first. */
export function applyFindings(text: string, findings: Finding[]): { text: string; rules: string[] } {
  if (findings.length === 0) return { text, rules: [] };
  const merged = mergeFindings(outsideMarks(text, findings));
  let result = '';
  let from = 0;
  for (const { rule, start, end } of merged) {
    result += text.slice(from, start) + redactionMark(rule);
    from = end;
  }
  return { text: result + text.slice(from), rules: merged.map(({ rule }) => rule) };
}

/**
 * Removes everything from `<private>` to `</private>`, nested elements included. An unclosed tag is plain text, unless the text
 * itself was truncated (`…`): the closing tag may be in the missing part.
 */
export function withoutPrivate(text: string): string {
  if (!/<\/?private\s*>/i.test(text)) return text;
  let kept = '';
  let from = 0;
  let open: { depth: number; start: number; end: number } | null = null;
  for (const { index, 0: tag, 1: slash } of text.matchAll(/<(\/?)private\s*>/gi)) {
    if (slash === '') {
      open ??= { depth: 0, start: index, end: 0 };
      open.depth += 1;
    } else if (open !== null) {
      open.depth -= 1;
      open.end = index + tag.length;
      if (open.depth > 0) continue;
      kept += text.slice(from, open.start);
      from = open.end;
      open = null;
    }
  }
  if (open === null) return kept + text.slice(from);
  const end = /…\s*$/.test(text) ? text.length : open.end;
  return end === 0 ? kept + text.slice(from) : kept + text.slice(from, open.start) + text.slice(end);
}

const MARK = /\[REDACTED:[a-z0-9-]+\]/g;

/** Marks are never redacted again: a second pass would count them as secrets. */
function outsideMarks(text: string, findings: Finding[]): Finding[] {
  if (!text.includes('[REDACTED:')) return findings;
  const marks = [...text.matchAll(MARK)].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
  }));
  return findings.filter(({ start, end }) => !marks.some((mark) => mark.start <= start && end <= mark.end));
}

function mergeFindings(findings: Finding[]): Finding[] {
  const sorted = findings
    .filter(({ start, end }) => start < end)
    .toSorted((a, b) => a.start - b.start || b.end - a.end || (a.rule < b.rule ? -1 : 1));
  const merged: Finding[] = [];
  for (const finding of sorted) {
    const last = merged.at(-1);
    if (last === undefined || finding.start >= last.end) merged.push({ ...finding });
    else last.end = Math.max(last.end, finding.end);
  }
  return merged;
}
