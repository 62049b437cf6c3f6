import { type TraceDependencies, traceCommit } from '../../app/trace/trace-commit.ts';
import { traceLines } from '../../app/trace/trace-lines.ts';
import { createGitReader } from '../../compose/trace.ts';
import type { CommandContext } from '../run-command.ts';
import { withShortIds } from '../shared/short-ids.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { renderTracedCommit, renderTracedFile } from './render-trace.ts';

export async function runWhich(
  context: CommandContext,
  args: { commit: string; json?: boolean },
): Promise<void> {
  const { terminal, parts } = context;
  const traced = await waitFor(
    dependencies(context).then((deps) => traceCommit(deps, args.commit, process.cwd())),
    { terminal, text: 'Looking up the commit' },
  );
  if (args.json === true) return terminal.out(JSON.stringify(traced));
  const look = await withShortIds(terminal, parts, idsOf(traced.sessions));
  terminal.out(renderTracedCommit(traced, look, parts.machine.now()));
}

export async function runBlame(
  context: CommandContext,
  args: { file: string; json?: boolean },
): Promise<void> {
  const { terminal, parts } = context;
  const traced = await waitFor(
    dependencies(context).then((deps) => traceLines(deps, args.file, process.cwd())),
    { terminal, text: 'Looking up the lines' },
  );
  if (args.json === true) return terminal.out(JSON.stringify(traced));
  const ids = traced.commits.flatMap(({ sessions }) => idsOf(sessions));
  terminal.out(renderTracedFile(traced, await withShortIds(terminal, parts, ids), parts.machine.now()));
}

function idsOf(sessions: { session_id: string }[]): string[] {
  return sessions.map(({ session_id }) => session_id);
}

async function dependencies({ parts, env }: CommandContext): Promise<TraceDependencies> {
  return { ...parts, store: await parts.store(), git: createGitReader(env) };
}
