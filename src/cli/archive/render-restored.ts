import type { Restored, RestoreState } from '../../app/archive/restore-session.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { bytes } from '../../domain/text/time-text.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** What became of a transcript, and how to go on with it. Each command stands on a line of its own, to be copied whole. */
export function renderRestored(restored: Restored, look: Look): string {
  const { style, symbols, columns } = createInk(look);
  return [
    `${style.good(symbols.ok)} ${whatWasDone(restored)}`,
    `  ${sanitizeLine(restored.path)}`,
    style.dim(
      `  ${bytes(restored.bytes)}, ${restored.content_hash.slice(0, 19)}, from ${sanitizeLine(restored.from)}`,
    ),
    ...restored.parents.map((id) => `  Session ${id}, which it continues, came back with it.`),
    ...restored.notes.flatMap((note) => wrap(note, columns - 2).map((line) => `  ${style.warn(line)}`)),
    '',
    'Resume it:',
    style.command(restored.resume_command),
    'Fork it:',
    style.command(restored.fork_command),
  ].join('\n');
}

function whatWasDone({ state, done }: Restored): string {
  return (done ? DONE : PLANNED)[state];
}

const THERE = 'Nothing to restore, the same bytes are there:';
const LONGER = 'Nothing to restore, the session has gone on since in';
const DONE: Record<RestoreState, string> = {
  restored: 'Restored to',
  replaced: 'Restored; only the beginning of it was in',
  unchanged: THERE,
  longer: LONGER,
};
const PLANNED: Record<RestoreState, string> = {
  restored: 'Would be restored to',
  replaced: 'Would be restored; only the beginning of it is in',
  unchanged: THERE,
  longer: LONGER,
};
