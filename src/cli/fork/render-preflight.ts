import type { DoctorCheck } from '../../domain/server-state.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { displayWidth, padEnd, wrap } from '../terminal/width.ts';

/** A line for each check, and below what is not in order what to do about it. */
export function renderPreflight(checks: DoctorCheck[], look: Look): string {
  const ink = createInk(look);
  const label = Math.max(...checks.map(({ name }) => displayWidth(name))) + 2;
  return checks.flatMap((check) => checkLines(check, label, ink)).join('\n');
}

function checkLines({ name, status, message, fix }: DoctorCheck, label: number, ink: Ink): string[] {
  const mark = ink.style[PAINTS[status]](ink.symbols[status]);
  const indent = label + 2;
  const text = wrap(sanitizeLine(message), ink.columns - indent);
  const advice =
    status === 'ok' || fix === undefined
      ? []
      : wrap(sanitizeLine(fix), ink.columns - indent).map(ink.style.dim);
  return [...text, ...advice].map((line, i) =>
    i === 0 ? `${mark} ${padEnd(name, label)}${line}` : ' '.repeat(indent) + line,
  );
}

const PAINTS = { ok: 'good', warn: 'warn', fail: 'bad' } as const;
