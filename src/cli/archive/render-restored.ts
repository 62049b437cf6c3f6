import type { Restored, RestoreState } from '../../app/archive/restore-session.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { bytes } from '../../domain/text/time-text.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** The result of a restore, and the commands that continue the session, each on its own line to copy. */
export function renderRestored(restored: Restored, look: Look): string {
  const { style, symbols, columns } = createInk(look);
  return [
    `${style.good(symbols.ok)} ${whatWasDone(restored)}`,
    ...(restored.files ?? [restored.path]).map((path) => `  ${sanitizeLine(path)}`),
    ...(isThere(restored)
      ? []
      : [style.dim(`  ${bytes(restored.bytes)}, from ${sanitizeLine(restored.from)}`)]),
    ...restored.parents.map(
      (id) => `  Also restored session ${sanitizeLine(id)}, which this session continues.`,
    ),
    ...restored.notes.flatMap((note) =>
      wrap(sanitizeLine(note), columns - 2).map((line) => `  ${style.warn(line)}`),
    ),
    '',
    'Resume it:',
    style.command(restored.resume_command),
    'Fork it:',
    style.command(restored.fork_command),
  ].join('\n');
}

/** Whether nothing comes from the archive, because the agent has the transcript. */
function isThere({ state }: Restored): boolean {
  return state === 'unchanged' || state === 'longer';
}

function whatWasDone({ state, done }: Restored): string {
  return (done ? DONE : PLANNED)[state];
}

const THERE = 'Nothing to restore: the transcript is already there';
const LONGER = 'Nothing to restore: the session has continued in';
const DONE: Record<RestoreState, string> = {
  restored: 'Restored to',
  replaced: 'Replaced the partial transcript with the complete one in',
  unchanged: THERE,
  longer: LONGER,
};
const PLANNED: Record<RestoreState, string> = {
  restored: 'Would restore to',
  replaced: 'Would replace the partial transcript with the complete one in',
  unchanged: THERE,
  longer: LONGER,
};
