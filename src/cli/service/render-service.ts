import type { ServicePlan } from '../../app/service/plan-service.ts';
import type { ServiceStatus } from '../../app/service/read-service.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { diffLines } from '../shared/render-diff.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** The service's file and the changes to it. */
export function renderPlannedService(plan: ServicePlan, look: Look): string {
  const ink = createInk(look);
  const { before, after, isForeign } = plan;
  if (before === null && after === null) return 'No service is installed.';
  const about =
    before === after
      ? ' (already there)'
      : before === null
        ? ' (new file)'
        : after === null
          ? ' (will be deleted)'
          : '';
  const title = wrap(`${sanitizeLine(plan.path)}${about}`, ink.columns).map(ink.style.strong);
  const warning = 'smart-fork did not write this file, or it has changed since; a backup is kept.';
  const foreign = isForeign && after !== null ? wrap(warning, ink.columns).map(ink.style.warn) : [];
  return [...title, ...foreign, ...diffLines(plan, ink)].join('\n');
}

export function serviceDone(text: string, backup: string | null, look: Look): string {
  const { style, symbols, columns } = createInk(look);
  const copy = backup === null ? [] : [`backup: ${sanitizeLine(backup)}`];
  const lines = [text, ...copy].flatMap((line) => wrap(line, columns - 2));
  return lines.map((line, i) => `${i === 0 ? style.good(symbols.ok) : ' '} ${line}`).join('\n');
}

/** Names the variables that the service lacks, without their values, which may be secret. */
export function unseenLines(names: string[], look: Look): string {
  const text = `Set only in this shell, so the service does not have it: ${names.join(', ')}. Put it into .env in smart-fork's home, or use smart-fork config set.`;
  return wrap(text, createInk(look).columns).join('\n');
}

export function renderServiceStatus(status: ServiceStatus, look: Look): string {
  const { style, symbols, columns } = createInk(look);
  const { state, running, gone, registered, manager } = status;
  const path = sanitizeLine(status.path);
  const good = style.good(symbols.ok);
  const off = style.dim(symbols.bullet);
  const file = {
    absent: [off, 'not installed: smart-fork service install'],
    installed: [good, `installed: ${path}`],
    changed: [style.warn(symbols.warn), `installed, but changed since smart-fork wrote it: ${path}`],
  }[state];
  const rows = [
    file,
    ...(state !== 'absent' && !registered
      ? [[style.warn(symbols.warn), `${manager} has no such service, or does not answer`]]
      : []),
    ...(gone === null
      ? []
      : [
          [
            style.bad(symbols.fail),
            `its program ${sanitizeLine(gone)} is missing: run smart-fork service install`,
          ],
        ]),
    running === null
      ? [off, 'no server is running']
      : [good, `running at ${running.url} (process ${running.pid}, since ${running.since})`],
    ...(state === 'absent' ? [] : [[off, `log: ${sanitizeLine(status.log)}`]]),
  ];
  return rows
    .flatMap(([mark = '', text = '']) =>
      wrap(text, columns - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`),
    )
    .join('\n');
}
