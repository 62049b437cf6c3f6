import { matchText } from '../../domain/search/certainty.ts';
import type { SearchResponse, SearchResult } from '../../domain/search-result.ts';
import { sanitizeCommand, sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../domain/text/time-text.ts';
import {
  agentName,
  familyText,
  markerPieces,
  markPieces,
  outcomePiece,
  placeOf,
  tagPieces,
  titleOf,
} from '../shared/labels.ts';
import { flow, type Piece, painted } from '../terminal/flow.ts';
import type { Ink } from '../terminal/ink.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { displayWidth, padEnd, truncate } from '../terminal/width.ts';
import { passageLines } from './passage-lines.ts';

/** Longer lines are hard to read, however wide the terminal. */
const WIDEST = 100;

interface SearchResultOptions {
  nowMs: number;
  /** The query and its phrasings, for explaining the scores; null if scores are not explained. */
  explain: Pick<SearchResponse, 'query' | 'also'> | null;
  /** Whether passages are shown whole: their length was asked for. */
  whole: boolean;
}

/** A search result. The last line is the bare command, ready to copy. */
export function searchResultLines(result: SearchResult, ink: Ink, options: SearchResultOptions): string[] {
  const { style, symbols } = ink;
  const indent = String(result.rank).length + 2;
  const room = ink.columns - indent;
  const separator = { text: symbols.separator, paint: style.dim };
  const gutter = `${style.dim(symbols.gutter)} `;
  const block = [
    ...titleLines(result, options.explain !== null, ink, room),
    ...flow(aboutPieces(result, ink, options.nowMs), separator, room, symbols.ellipsis),
    ...flow(originPieces(result, ink), separator, room, symbols.ellipsis),
    ...familyLines(result, ink, room),
    ...(result.match.subagent === undefined ? [] : [gutter + style.dim('in a subagent:')]),
    ...passageLines(
      { text: result.snippet, ranges: result.snippet_ranges },
      ink,
      Math.min(room, WIDEST) - 2,
      options.whole,
    ).map((line) => gutter + line),
    ...(options.explain ? explanationLines(result, options.explain, ink, Math.min(room, WIDEST)) : []),
  ];
  const rank = style.accent(padEnd(`${result.rank}.`, indent));
  const lines = block.map((line, i) => (i === 0 ? rank : ' '.repeat(indent)) + line);
  return [...lines, style.command(sanitizeCommand(result.fork_command))];
}

/** The title with the badge next to it, or below it if there is no room. */
function titleLines(result: SearchResult, explain: boolean, ink: Ink, room: number): string[] {
  const title = truncate(titleOf(result), room, ink.symbols.ellipsis);
  const badge = badgeOf(result, explain, ink);
  const { strong } = ink.style;
  if (!badge) return [strong(title)];
  const gap = 3;
  if (displayWidth(title) + gap + displayWidth(badge.text) <= room) {
    return [strong(title) + ' '.repeat(gap) + painted(badge)];
  }
  return [strong(title), ...flow([badge], { text: '' }, room, ink.symbols.ellipsis)];
}

function familyLines(result: SearchResult, ink: Ink, room: number): string[] {
  const { style, symbols } = ink;
  const text = familyText(result, ink);
  return text === '' ? [] : flow([{ text, paint: style.dim }], { text: ' ' }, room, symbols.ellipsis);
}

function badgeOf(result: SearchResult, explain: boolean, { style, symbols }: Ink): Piece | null {
  const number = explain && result.certainty !== null ? ` (${result.certainty}%)` : '';
  const match = matchText(result.strength) + number;
  if (result.recommended)
    return { text: `${symbols.star} Recommended${symbols.separator}${match}`, paint: style.badge };
  return match === '' ? null : { text: match.trim(), paint: style.dim };
}

function aboutPieces(result: SearchResult, ink: Ink, nowMs: number): Piece[] {
  const branch = sanitizeLine(result.branch ?? '');
  return [
    { text: sanitizeLine(result.repo_name), paint: ink.style.accent },
    ...(branch ? [{ text: branch }] : []),
    { text: timeAgo(result.ended_at ?? result.started_at, nowMs) },
    { text: plural(result.message_count, 'message') },
    outcomePiece(result.outcome, ink),
    ...markerPieces(result.markers, ink),
    ...tagPieces(result.tags, ink),
    ...markPieces(result, ink),
  ];
}

function originPieces(result: SearchResult, ink: Ink): Piece[] {
  const { style } = ink;
  return [
    ...(result.found_by === undefined ? [] : [{ text: sanitizeLine(result.found_by), paint: style.good }]),
    { text: ink.shortId(result.session_id), paint: style.dim },
    { text: agentName(result.agent), paint: style.dim },
    ...(result.local ? [] : [{ text: placeOf(result), paint: style.warn }]),
    ...(result.parent_session_id
      ? [{ text: `fork of ${ink.named(result.parent_session_id)}`, paint: style.dim }]
      : []),
  ];
}

type Phrased = Pick<SearchResponse, 'query' | 'also'>;

/** The parts of a score with their weights, and the sum; then the score with each phrasing. */
function explanationLines(
  { scores, score }: SearchResult,
  { query, also = [] }: Phrased,
  ink: Ink,
  width: number,
): string[] {
  const { dim } = ink.style;
  const columns: Column[] = [
    { header: 'score part', flexible: true },
    { header: 'value', align: 'right' },
    { header: 'weight', align: 'right' },
    { header: 'points', align: 'right', paint: ink.style.strong },
  ];
  const rows = Object.entries(scores.parts).map(([name, value]) =>
    partRow(name, value, scores.weights[name], ink),
  );
  const total = ['score', '', '', score.toFixed(3)];
  const [header = '', ...lines] = tableLines(columns, [...rows, total], { ...ink, columns: width });
  const found = scores.phrasings ?? [];
  if (found.length < 2) return [dim(header), ...lines];
  return [dim(header), ...lines, ...phrasingLines([query, ...also], found, ink, width)];
}

function phrasingLines(texts: string[], found: number[], ink: Ink, columns: number): string[] {
  const rows = texts.map((text, at) => [sanitizeLine(text), (found[at] ?? 0).toFixed(3)]);
  const heads: Column[] = [
    { header: 'found by', flexible: true },
    { header: 'score alone', align: 'right' },
  ];
  const [header = '', ...lines] = tableLines(heads, rows, { ...ink, columns });
  return [ink.style.dim(header), ...lines];
}

function partRow(name: string, value: number, weight: number | undefined, { symbols }: Ink): string[] {
  const label = name.replaceAll('_', ' ');
  if (weight === undefined) return [label, value.toFixed(3), '', ''];
  return [label, value.toFixed(3), `${symbols.times} ${weight.toFixed(2)}`, (value * weight).toFixed(3)];
}
