import type { HealthCheck } from '../../domain/server-state.ts';
import { sanitize, sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { displayWidth, padEnd, truncate, wrap } from '../terminal/width.ts';

/** Every check, the fix for each that did not pass, and a summary. */
export function renderDoctor(checks: HealthCheck[], look: Look): string {
  const ink = createInk(look);
  const names = checks.map(({ name }) => displayWidth(sanitizeLine(name)));
  const nameWidth = Math.min(Math.max(0, ...names), Math.floor(ink.columns / 3));
  return [...checks.flatMap((check) => checkLines(check, nameWidth, ink)), '', verdict(checks, ink)].join(
    '\n',
  );
}

function checkLines({ name, status, message, fix }: HealthCheck, nameWidth: number, ink: Ink): string[] {
  const { style, symbols } = ink;
  const mark = {
    ok: style.good(symbols.ok),
    note: style.dim(symbols.bullet),
    warn: style.warn(symbols.warn),
    fail: style.bad(symbols.fail),
  }[status];
  const label = padEnd(truncate(sanitizeLine(name), nameWidth, symbols.ellipsis), nameWidth);
  const indent = nameWidth + 4;
  const [first = '', ...rest] = wrap(sanitize(message).trim(), ink.columns - indent);
  const lines = [
    `${mark} ${style.strong(label)}  ${first}`,
    ...rest.map((line) => ' '.repeat(indent) + line),
  ];
  return fix && status !== 'ok' ? [...lines, ...fixLines(fix, indent, ink)] : lines;
}

function fixLines(fix: string, indent: number, { style, symbols, columns }: Ink): string[] {
  const arrow = `${symbols.arrow} `;
  return wrap(sanitize(fix).trim(), columns - indent - arrow.length).map(
    (line, i) => ' '.repeat(indent) + style.accent((i === 0 ? arrow : ' '.repeat(arrow.length)) + line),
  );
}

function verdict(checks: HealthCheck[], { style }: Ink): string {
  const failed = checks.filter(({ status }) => status === 'fail').length;
  const warned = checks.filter(({ status }) => status === 'warn').length;
  if (failed > 0) {
    return (
      style.bad(plural(failed, 'problem')) + (warned > 0 ? `, ${style.warn(plural(warned, 'warning'))}` : '')
    );
  }
  return warned > 0 ? style.warn(plural(warned, 'warning')) : style.good('All good.');
}
