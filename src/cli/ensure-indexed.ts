import { plural } from './output/time.ts';
import type { CommandContext } from './run-command.ts';

/** Before a first search: offers to index, and does so unasked where nobody can be asked. False when the user declined. */
export async function ensureIndexed(context: CommandContext): Promise<boolean> {
  const { parts, terminal } = context;
  if (parts.storeExists()) {
    const page = await (await parts.store()).list({}, 1);
    if (page.sessions.length > 0) return true;
  }
  const found = parts.sources.flatMap((source) => source.find()).length;
  if (found === 0) {
    terminal.err(
      `Nothing to search: no transcripts in ${parts.sources.flatMap(({ roots }) => roots).join(', ')}.`,
    );
    return true;
  }
  if (terminal.interactive) {
    const { confirm } = await import('./output/prompt.ts');
    const question = `Nothing is indexed yet. Index ${plural(found, 'session')} of this machine now?`;
    if (!(await confirm(question, { terminal, defaultYes: true }))) return false;
  } else {
    terminal.err(`Nothing is indexed yet: indexing ${plural(found, 'session')} of this machine first.`);
  }
  const { runIndexing } = await import('./run-indexing.ts');
  await runIndexing(context, { force: false, embed: false, quiet: false });
  return !context.signal.aborted;
}
