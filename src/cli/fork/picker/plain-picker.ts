import { createInterface } from 'node:readline';
import { isWeak } from '../../../domain/search/certainty.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { createInk } from '../../terminal/ink.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { closestLine } from './header-lines.ts';
import { itemLines } from './item-lines.ts';
import type { PickerSource } from './picker.ts';
import { itemsOf, type Picked, startState } from './picker-state.ts';

const SHOWN = 5;

/** The picker for terminals that can only print lines (TERM=dumb): a numbered list and a prompt. */
export async function pickPlainly(
  source: PickerSource,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Picked> {
  const state = { ...startState(source.results.slice(0, SHOWN), source), cursor: -1 };
  const ink = createInk({ ...terminal.errorLook, shortId: source.shortId });
  const context = { ...source, ink, rows: 0, description: null, status: null };
  const items = itemsOf(state).filter(({ kind }) => kind !== 'chat');
  if (isWeak(source.fit)) terminal.err(closestLine(context, ink.columns - 1));
  for (const [place, item] of items.entries())
    terminal.err(itemLines(item, place, state, context, ink.columns - 1).join('\n'));
  if (source.preferred !== undefined)
    terminal.err(`Sessions of ${sanitizeLine(source.preferred)} first; --everywhere turns this off.`);
  const answer = await askLine(terminal, `Which one (1 to ${items.length}, empty to cancel)? `, signal);
  const item = items[Number(answer?.trim() || Number.NaN) - 1];
  if (item === undefined || item.kind === 'chat') return { kind: 'cancel' };
  return item.kind === 'result' ? { ...item, kind: 'session', way: null } : item;
}
/** Reads a line from the user; null if the input ends or the wait is aborted. */
export function askLine(terminal: Terminal, question: string, signal: AbortSignal): Promise<string | null> {
  const { stdin, stderr } = terminal;
  if (!stdin || signal.aborted) return Promise.resolve(null);
  const reader = createInterface({ input: stdin, output: stderr, terminal: false });
  return new Promise<string | null>((resolve) => {
    reader.on('close', () => resolve(null));
    signal.addEventListener('abort', () => reader.close(), { once: true });
    reader.question(question, (answer) => resolve(answer));
  }).finally(() => reader.close());
}
