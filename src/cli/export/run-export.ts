import { resolve } from 'node:path';
import { type ExportReport, exportSessions } from '../../app/export/export-sessions.ts';
import { exportDependencies, markdownSearch, qmdCollections } from '../../compose/export.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, plural } from '../../domain/text/time-text.ts';
import type { MarkdownSearch } from '../../ports/machine.ts';
import { type CommandContext, EXIT } from '../run-command.ts';
import { type FilterArguments, filterOf } from '../shared/filter-options.ts';
import { tellNotices } from '../shared/notices.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { createProgress } from '../terminal/progress/progress.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { wrap } from '../terminal/width.ts';

interface RunExportOptions extends FilterArguments {
  to?: string;
  qmd?: boolean;
  json?: boolean;
}

export async function runExport(
  { parts, terminal, env, signal }: CommandContext,
  options: RunExportOptions,
): Promise<void> {
  // Before the export, because without qmd the user may want a different folder.
  const qmd = options.qmd === true ? markdownSearch(env) : null;
  const filter = await filterOf(options, parts);
  const progress = createProgress({ verb: 'Exporting', terminal });
  const to = options.to === undefined ? null : resolve(options.to);
  const deps = await exportDependencies(parts, to, (notices) => tellNotices(notices, terminal));
  const report = await exportSessions(deps, {
    filter: Object.keys(filter).length > 0 ? filter : undefined,
    signal,
    onProgress: progress.update,
  }).finally(progress.done);
  const embedding =
    qmd === null || report.interrupted ? null : await updateQmd(qmd, report, { terminal, signal });
  if (report.failed.length > 0) process.exitCode = EXIT.failed;
  terminal.out(
    options.json === true
      ? JSON.stringify({ ...report, qmd: embedding ?? undefined })
      : renderExport(report, terminal, embedding),
  );
}

/** What qmd has of the export. */
interface QmdUpdate {
  embedded: boolean;
  /** Why it could not embed. */
  problem?: string;
}

/** Without embeddings, qmd still searches by keyword. */
async function updateQmd(
  qmd: MarkdownSearch,
  report: ExportReport,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<QmdUpdate> {
  const collections = qmdCollections(report.folder);
  await waitFor(qmd.register(collections), { terminal, text: 'Updating qmd' });
  const embedding = qmd.embed(
    collections.map(({ name }) => name),
    signal,
  );
  const problem = await waitFor(embedding, { terminal, text: 'Embedding with qmd' });
  return problem === null ? { embedded: true } : { embedded: false, problem };
}

const MAX_FAILED = 10;

function renderExport(report: ExportReport, look: Look, qmd: QmdUpdate | null): string {
  const { style, symbols, columns } = createInk(look);
  const { folder, written, unchanged, removed, failed, interrupted } = report;
  const lines = [
    `${style.good(symbols.ok)} ${plural(written + unchanged, 'session')} in ${sanitizeLine(folder)}: ${count(written)} written, ${count(unchanged)} unchanged, ${count(removed)} removed`,
    ...failed
      .slice(0, MAX_FAILED)
      .map(
        (one) => `${style.bad(symbols.fail)} ${sanitizeLine(one.session_id)}: ${sanitizeLine(one.reason)}`,
      ),
    ...(failed.length > MAX_FAILED ? [`and ${count(failed.length - MAX_FAILED)} more`] : []),
    ...(interrupted ? [`${style.warn(symbols.warn)} Stopped early. Run the command again to continue.`] : []),
    ...(qmd === null ? [] : ["Updated qmd's index. To search it: qmd search WORDS -c claude-sessions"]),
    ...(qmd?.embedded === true ? ['By meaning: qmd query WORDS -c claude-sessions'] : []),
    ...(qmd?.problem === undefined
      ? []
      : [`${style.warn(symbols.warn)} Search by meaning is missing: ${sanitizeLine(qmd.problem)}`]),
  ];
  return lines.flatMap((line) => wrap(line, columns)).join('\n');
}
