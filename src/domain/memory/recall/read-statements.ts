import { MARK } from '../../point/chunking.ts';
import type { ChunkPayload } from '../../point/point.ts';
import { TOOL_LINE } from '../../search/snippet.ts';
import { plain } from '../text/passages.ts';
import { sentencesOf } from '../text/sentences.ts';

/** A sentence, a list item, a row of a table or a line of code. */
export interface Statement {
  /** On one line, without Markdown. */
  text: string;
  /** The heading above it, or the question that it replies to; empty if there is none. */
  label: string;
  form: 'sentence' | 'heading' | 'row' | 'code';
  /** Whether an item of a list begins with it, or goes on with it. */
  item?: 'first' | 'more';
  /** The names of the columns, above a row; of their own row, none. */
  header?: string;
  /** Whether a colon ends it: what follows is not complete without it. */
  leadsIn?: true;
}

export interface SaidMessage {
  by: 'user' | 'agent';
  /** The passage that it begins in, if it begins before that: who says it is a guess then. */
  goesOnIn?: number;
  /** Counted from 0; null in a subagent's conversation. */
  turn: number | null;
  timestamp: string | null;
  /** The user's words in a dialog, each labelled with the agent's question. */
  isReply: boolean;
  /** A decision or finding in its own words. */
  isIdea?: boolean;
  statements: Statement[];
}

/** The messages in passages of one conversation, which are in order but need not be all; without lines of tool calls. */
export function readStatements(passages: ChunkPayload[]): SaidMessage[] {
  const messages: SaidMessage[] = [];
  let line: LineState = START;
  for (const [place, passage] of passages.entries()) {
    const { content, overlap, timestamp, subagent, chunk_index } = passage;
    let turn = passage.turn;
    const own = content.slice(overlap);
    const isNext = passages[place - 1]?.chunk_index === chunk_index - 1;
    if (!isNext && !MARK.test(own)) {
      const message = messageOf('agent', subagent === undefined ? turn : null, timestamp);
      messages.push({ ...message, goesOnIn: chunk_index });
      line = START;
    }
    for (const [at, raw] of own.split('\n').entries()) {
      const mark = MARK.exec(raw);
      if (mark !== null) {
        const isPrompt = mark[1] === 'USER';
        if (isPrompt && at > 0) turn += 1;
        const by = mark[1] === 'ASSISTANT' ? 'agent' : 'user';
        const isReply = by === 'user' && !isPrompt;
        messages.push({ ...messageOf(by, subagent === undefined ? turn : null, timestamp), isReply });
        line = START;
      }
      const message = messages.at(-1);
      if (message !== undefined)
        line = readLine(message, mark === null ? raw : raw.slice(mark[0].length), line);
    }
  }
  return messages.filter(({ statements }) => statements.length > 0);
}

/** Who speaks at the end of a passage; null if it does not say. */
export function lastSpeaker({ content, overlap }: ChunkPayload): SaidMessage['by'] | null {
  const marks = content
    .slice(overlap)
    .split('\n')
    .flatMap((line) => MARK.exec(line)?.[1] ?? []);
  const last = marks.at(-1);
  return last === undefined ? null : last === 'ASSISTANT' ? 'agent' : 'user';
}

function messageOf(by: SaidMessage['by'], turn: number | null, timestamp: string | null): SaidMessage {
  return { by, turn, timestamp, isReply: false, statements: [] };
}

interface LineState {
  label: string;
  isCode: boolean;
  /** The names of the columns of the table that the line before is in. */
  header?: string | undefined;
}

const START: LineState = { label: '', isCode: false };
const LONGEST_LINE = 2000;
const HEADING = /^(?:#{1,6}\s+(\S.*)|\*\*([^*]{2,100})\*\*[:：]?|((?=.{2,100}$)[^.!?]+[:：]))$/;
/** A tool's name alone, as TodoWrite. */
const BARE_TOOL = /^(?:[A-Z][a-z]+(?:[A-Z][a-z]+)+|mcp__\S+|update_plan|request_user_input)$/;
const BULLET = /^(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

function readLine({ statements, isReply }: SaidMessage, given: string, state: LineState): LineState {
  const raw = given.trim().slice(0, LONGEST_LINE);
  if (/^(?:```|~~~)/.test(raw)) return { ...state, isCode: !state.isCode };
  if (isHeaderRule(raw) && statements.at(-1)?.form === 'row')
    return { ...state, header: statements.at(-1)?.text };
  if (raw === '' || TOOL_LINE.test(given) || BARE_TOOL.test(given) || /^[\s|:=-]*$/.test(raw)) return state;
  const { label } = state;
  if (state.isCode) {
    // Closing brackets alone say nothing.
    if (!/[\p{L}\p{N}]/u.test(raw)) return state;
    statements.push({ text: raw, label, form: 'code' });
    return state;
  }
  if (isReply && raw.startsWith('>')) return { ...state, label: plain(raw.replace(/^>\s*/, '')) };
  if (raw.length > 1 && raw.startsWith('|') && raw.endsWith('|')) {
    const cells = raw.slice(1, -1).split('|');
    const { header } = statements.at(-1)?.form === 'row' ? state : START;
    const text = plain(cells.map((cell) => cell.trim()).join(' · '));
    statements.push({ text, label, form: 'row', ...(header === undefined ? {} : { header }) });
    return { ...state, header };
  }
  const heading = HEADING.exec(raw);
  if (heading !== null && !isReply) {
    const line = heading[1] ?? heading[2] ?? heading[3] ?? '';
    const text = plain(line.replace(BULLET, '')).replace(/[:：]$/, '');
    statements.push({
      text,
      label: '',
      form: 'heading',
      ...(heading[3] === undefined ? {} : { leadsIn: true }),
    });
    return { ...state, label: text };
  }
  const isItem = BULLET.test(raw);
  for (const [at, text] of withEnumerators(sentencesOf(plain(raw.replace(BULLET, '')))).entries())
    statements.push({
      text,
      label,
      form: 'sentence',
      ...(isItem ? { item: at === 0 ? 'first' : 'more' } : {}),
    });
  return state;
}

/** The line below the names of a table's columns. */
function isHeaderRule(raw: string): boolean {
  return raw.includes('-') && raw.includes('|') && /^[\s|:-]*$/.test(raw);
}

/** "2." and "patterns: A." are no sentences: what they number follows. */
function withEnumerators(sentences: string[]): string[] {
  const joined: string[] = [];
  let number = '';
  for (const sentence of sentences) {
    const [, before = '', found = ''] = ENUMERATOR.exec(sentence) ?? [];
    const text = found === '' ? sentence : before;
    if (text !== '') joined.push(number === '' ? text : `${number} ${text}`);
    number = found;
  }
  return joined;
}

const ENUMERATOR = /^(?:(.*[.:;!?)])\s)?((?:\d{1,3}|[A-Z])\.)$/;
