import { findTranscripts } from '../../app/index/select-transcripts.ts';
import { outageNotice } from '../../domain/outage.ts';
import { duration, plural } from '../../domain/text/time-text.ts';
import type { CommandContext } from '../run-command.ts';
import { tellNotices } from '../shared/notices.ts';

/** Indexes before a first search; on a terminal, asks first. False if the user declined. */
export async function ensureIndexed(context: CommandContext): Promise<boolean> {
  return (await isIndexed(context)) || indexFirst(context);
}

/** Counts sessions without reading them: damaged ones count too. */
export async function isIndexed({ parts }: CommandContext): Promise<boolean> {
  return parts.storeExists() && (await (await parts.store()).count()).sessions > 0;
}

export async function indexFirst(context: CommandContext): Promise<boolean> {
  const { parts, terminal } = context;
  const outage = parts.outage();
  if (outage !== null) tellNotices([outageNotice(outage)], terminal);
  const found = parts.sources.map((source) => ({ source, files: source.find() }));
  const files = found.flatMap((one) => one.files);
  if (findTranscripts(parts.sources).length === 0) {
    if (outage !== null) return true;
    const roots = parts.sources.flatMap((source) => source.roots);
    const more = roots.length - MOST_FOLDERS;
    const rest = more > 0 ? ` and ${plural(more, 'more folder')} (smart-fork index names them)` : '';
    const folders = roots.slice(0, MOST_FOLDERS).join(', ');
    terminal.err(`Nothing to search: no transcripts found in ${folders}${rest}.`);
    terminal.err('To try smart-fork on sample sessions: smart-fork demo');
    return true;
  }
  const folders = found.flatMap((one) => one.files.map((file) => one.source.head(file).workingDirectory));
  const projects = new Set(folders).size;
  terminal.err('Nothing is indexed yet. Scanning the sessions on this machine...');
  terminal.err(`Found ${plural(files.length, 'session')} across ${plural(projects, 'project')}.\n`);
  if (terminal.interactive) {
    const { confirm } = await import('../terminal/prompt.ts');
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    terminal.err(`Estimated indexing time: about ${duration(1000 * (1 + bytes / BYTES_A_SECOND))}`);
    if (!(await confirm('Continue?', { terminal, defaultYes: true }))) return false;
  }
  const { runIndexing } = await import('./run-indexing.ts');
  await runIndexing(context, { force: false, embed: false, keep: false, quiet: false });
  return !context.signal.aborted;
}

const MOST_FOLDERS = 2;

/** Speed of keyword indexing on a slow machine, in bytes of transcript per second. */
const BYTES_A_SECOND = 15_000_000;
