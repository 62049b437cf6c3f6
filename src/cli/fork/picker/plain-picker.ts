import { createInterface } from 'node:readline';
import { isWeak } from '../../../domain/search/certainty.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { createInk } from '../../terminal/ink.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { closestLine, questionLine } from './header-lines.ts';
import { itemLines } from './item-lines.ts';
import type { PickerSource } from './picker.ts';
import { type Item, itemsOf, type Picked, type PickerState, startState } from './picker-state.ts';

/** The picker for terminals that can only print lines (TERM=dumb): the same choices, numbered, and a prompt. */
export async function pickPlainly(
  source: PickerSource,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Picked> {
  const start = startState(source.results, { ...source, text: source.query });
  const ink = createInk({ ...terminal.errorLook, shortId: source.shortId });
  const context = { ...source, ink, rows: 0, description: null, story: [], status: null };
  const print = (items: Item[], state: PickerState) => {
    for (const [place, item] of items.entries()) {
      const numbered = { ...item, digit: place + 1 } as Item;
      terminal.err(itemLines(numbered, place, { ...state, cursor: -1 }, context, ink.columns - 1).join('\n'));
    }
  };
  const askWhich = async (items: Item[]) => {
    const question = `Which one (1 to ${items.length}, empty to cancel)? `;
    for (;;) {
      const answer = (await askLine(terminal, question, signal))?.trim() ?? '';
      const item = items[Number(answer) - 1];
      if (answer === '' || item !== undefined) return item;
    }
  };
  const { fit } = source;
  const width = ink.columns - 1;
  terminal.err(
    isWeak(fit)
      ? closestLine(source.query, fit?.text ?? '', context, width)
      : questionLine(source.query, context, width),
  );
  let items = itemsOf({ ...start, more: false }).filter(({ kind }) => kind !== 'chat');
  print(items, start);
  if (source.preferred !== undefined)
    terminal.err(`Sessions of ${sanitizeLine(source.preferred)} first; --everywhere turns this off.`);
  let item = await askWhich(items);
  if (item?.kind === 'more') {
    items = itemsOf({ ...start, page: 'list' });
    print(items, { ...start, page: 'choices' });
    item = await askWhich(items);
  }
  if (item?.kind === 'session') return { kind: 'session', result: item.result, way: null };
  if (item?.kind === 'refine') return { kind: 'refine' };
  return { kind: item?.kind === 'fresh' || item?.kind === 'leave' ? 'fresh' : 'cancel' };
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
