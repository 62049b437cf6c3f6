import type { BundlePlan } from '../../app/bundle/export-bundle.ts';
import type { BundleReport } from '../../app/bundle/import-bundle.ts';
import { sanitizeCommand, sanitizeLine } from '../../domain/text/sanitize.ts';
import { bytes, count, plural } from '../../domain/text/time-text.ts';
import type { SealingKey } from '../../ports/bundle/bundle-file.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** The planned contents of a bundle, and a warning that nothing in it is redacted. */
export function renderBundlePlan(plan: BundlePlan, file: string, look: Look): string {
  const { style, columns } = createInk(look);
  const { sessions, transcripts, withoutTranscript } = plan;
  const text = `${sanitizeLine(file)} will contain ${plural(sessions.length, 'session')} with tags, notes and findings, and ${plural(transcripts, 'transcript')} (${bytes(plan.bytes)}).`;
  const warning =
    'Transcripts are not redacted: they contain passwords and keys that were typed or printed. Anyone who can open the file can read them.';
  const without =
    withoutTranscript.length === 0
      ? []
      : wrap(
          `${plural(withoutTranscript.length, 'session')} without a transcript, here or in the archive.`,
          columns,
        );
  return [...wrap(text, columns), ...wrap(warning, columns).map(style.warn), ...without].join('\n');
}

export function renderExported(
  { file, stored, command }: { file: string; stored: number; command: string },
  key: SealingKey,
  look: Look,
): string {
  const { style, symbols, columns } = createInk(look);
  const [sealed, identity] =
    'recipients' in key
      ? [`encrypted to ${plural(key.recipients.length, 'recipient')}`, ' --identity KEYFILE']
      : ['encrypted with the passphrase', ''];
  const text = `${sanitizeLine(file)}: ${bytes(stored)}, ${sealed}. To import it:`;
  // On one line, to be copied.
  return [...marked(style.good(symbols.ok), text, columns), `${sanitizeCommand(command)}${identity}`].join(
    '\n',
  );
}

const MAX_NAMED = 10;

export function renderImported(report: BundleReport, look: Look): string {
  const { style, symbols, columns } = createInk(look);
  const { imported, same, different, left_out, done, interrupted } = report;
  const named = (mark: string, ids: string[], why: string) => [
    ...ids.slice(0, MAX_NAMED).flatMap((id) => marked(mark, `${sanitizeLine(id)} ${why}`, columns)),
    ...(ids.length > MAX_NAMED ? [`  and ${count(ids.length - MAX_NAMED)} more`] : []),
  ];
  const leftFor = (reason: string) =>
    left_out.filter((one) => one.reason === reason).map(({ session_id }) => session_id);
  const verb = done ? 'imported' : 'would be imported';
  return [
    ...marked(
      style.good(symbols.ok),
      `${plural(imported.length, 'session')} ${verb}, ${count(same.length)} already here`,
      columns,
    ),
    ...named(style.warn(symbols.warn), different, 'differs here, or is not indexed yet: left unchanged'),
    ...named(style.dim(symbols.bullet), leftFor('forgotten'), 'was forgotten here: skipped'),
    ...named(style.dim(symbols.bullet), leftFor('excluded'), 'is excluded here: skipped'),
    ...(interrupted
      ? marked(style.warn(symbols.warn), 'Stopped early. Run the command again to continue.', columns)
      : []),
    ...(done && imported.length > 0 ? ['To restore a transcript: smart-fork restore ID'] : []),
  ].join('\n');
}

function marked(mark: string, text: string, columns: number): string[] {
  return wrap(text, columns - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`);
}
