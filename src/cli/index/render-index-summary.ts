import type { IndexSummary } from '../../domain/summary.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, duration, plural } from '../../domain/text/time-text.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** What to do after an indexing run that found sessions; nothing after one that found no news. */
export function renderNextStep({ indexed, interrupted }: IndexSummary, look: Look): string[] {
  if (indexed === 0 || interrupted) return [];
  const ink = createInk(look);
  const text = 'Next: smart-fork fork "what you want to do" finds the session to continue from';
  return wrap(text, ink.columns).map(ink.style.dim);
}

/** The result of an indexing run, and anything that needs attention. */
export function renderIndexSummary(summary: IndexSummary, look: Look): string {
  const ink = createInk(look);
  const { style, symbols } = ink;
  const well = summary.indexed + (summary.only_prompts ?? 0) > 0 || isNothingNew(summary);
  return [
    ...(summary.interrupted
      ? marked('Stopped early. Run the command again to continue.', symbols.warn, style.warn, ink)
      : []),
    ...marked(resultOf(summary), well ? symbols.ok : symbols.warn, well ? style.good : style.warn, ink),
    ...detailsOf(summary).flatMap((detail) =>
      wrap(detail, ink.columns - 2).map((line) => `  ${style.dim(line)}`),
    ),
    ...serverLines(summary, ink),
    ...failureLines(summary, ink),
  ].join('\n');
}

function resultOf(summary: IndexSummary): string {
  const { found, indexed, took_ms, only_prompts: gone = 0 } = summary;
  if (found === 0 && gone === 0) return 'No transcripts found. Nothing to index.';
  if (found === 0)
    return `No transcripts found. Indexed the prompts of ${plural(gone, 'session')} whose transcript is gone.`;
  if (summary.interrupted && isIndexComplete(summary))
    return `The index is complete: ${plural(found, 'transcript')}. ${count(summary.archive.kept)} archived in this run.`;
  if (isNothingNew(summary))
    return `Nothing new: ${plural(summary.unchanged, 'transcript')} unchanged (${duration(took_ms)}).`;
  return `Indexed ${count(indexed)} of ${plural(found, 'transcript')} in ${duration(took_ms)}.`;
}

/** Whether a run stopped only while it archived or embedded. */
function isIndexComplete({
  found,
  indexed,
  unchanged,
  empty,
  excluded,
  duplicates,
  failed,
}: IndexSummary): boolean {
  return indexed + unchanged + empty + excluded + duplicates + failed.length >= found;
}

function isNothingNew({ indexed, failed, interrupted, only_prompts: gone = 0 }: IndexSummary): boolean {
  return indexed + gone === 0 && failed.length === 0 && !interrupted;
}

function detailsOf(summary: IndexSummary): string[] {
  const { unchanged, unread, waiting, imported = 0, only_prompts: onlyPrompts = 0 } = summary;
  const details: string[] = [];
  if (imported > 0)
    details.push(`${plural(imported, 'session')} imported from the Python smart-fork’s collection`);
  if (unchanged > 0 && !isNothingNew(summary) && !(summary.interrupted && isIndexComplete(summary)))
    details.push(`${count(unchanged)} unchanged`);
  if (onlyPrompts > 0 && summary.found > 0)
    details.push(`${plural(onlyPrompts, 'session')} whose transcript is gone: the prompts were indexed`);
  if (summary.excluded > 0)
    details.push(`${count(summary.excluded)} excluded by your privacy rules or forgotten`);
  for (const one of unread) details.push(`not read: ${sanitizeLine(one.text)}`);
  // Said once: doctor and status go on saying it.
  if (waiting.intents + waiting.chunks > 0 && !isNothingNew(summary)) {
    const passages = plural(waiting.intents + waiting.chunks, 'passage');
    details.push(`${passages} not embedded yet: keyword search finds them`);
  }
  if (summary.archive.evicted > 0)
    details.push(`${plural(summary.archive.evicted, 'transcript')} removed from the archive to make room`);
  if (summary.archive.problem !== null) details.push(`archive: ${sanitizeLine(summary.archive.problem)}`);
  return details;
}

function serverLines({ server }: IndexSummary, ink: Ink): string[] {
  if (server === null) return [];
  const { style, symbols } = ink;
  const { sent, waiting, busy, problems } = server;
  const left = busy
    ? 'Another smart-fork process is sending to the server'
    : `${plural(waiting, 'session')} not sent to the server yet`;
  return [
    ...(sent > 0
      ? wrap(`${plural(sent, 'session')} sent to the server`, ink.columns - 2).map(
          (line) => `  ${style.dim(line)}`,
        )
      : []),
    ...(waiting > 0 ? marked(left, symbols.warn, style.warn, ink) : []),
    ...problems.flatMap(({ message, hint }) =>
      wrap(sanitizeLine(hint === null ? message : `${message}: ${hint}`), ink.columns - 4).map(
        (line) => `    ${line}`,
      ),
    ),
  ];
}

function failureLines({ failed }: IndexSummary, ink: Ink): string[] {
  if (failed.length === 0) return [];
  const shown = failed.slice(0, MAX_FAILURES);
  const rest = failed.length - shown.length;
  return [
    ...marked(
      `${plural(failed.length, 'transcript')} could not be read:`,
      ink.symbols.fail,
      ink.style.bad,
      ink,
    ),
    ...shown.flatMap(({ path, reason }) =>
      wrap(`${sanitizeLine(path)}: ${sanitizeLine(reason)}`, ink.columns - 4).map((line) => `    ${line}`),
    ),
    ...(rest > 0 ? [`    and ${count(rest)} more`] : []),
  ];
}

const MAX_FAILURES = 10;

function marked(text: string, mark: string, paint: (text: string) => string, ink: Ink): string[] {
  return wrap(text, ink.columns - 2).map((line, i) => (i === 0 ? `${paint(mark)} ${line}` : `  ${line}`));
}
