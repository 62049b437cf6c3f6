import { resolveForks } from '../../app/fork/resolve-forks.ts';
import { composeFork } from '../../compose/fork.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { ensureIndexed } from '../index/ensure-indexed.ts';
import { type CommandContext, EXIT } from '../run-command.ts';
import { preferredRepository } from '../search/preferred-repository.ts';
import { runSearch } from '../search/run-search.ts';
import { filterOf, filtersIn } from '../shared/filter-options.ts';
import { chooseSession, namedSession } from './choose-session.ts';
import { actionOf } from './decide-fork.ts';
import type { ForkJob, ForkOptions } from './fork-job.ts';
import { type Asking, quickenEscape } from './picker/ask-user.ts';
import { takeSession } from './take-session.ts';

/** Runs `fork`: from a query or a session's id to a running conversation. */
export async function runFork(context: CommandContext, options: ForkOptions): Promise<void> {
  const started = performance.now();
  const asking = askingOf(context);
  if (context.terminal.interactive && !asking.plain) quickenEscape(context.terminal);
  if (!(await ensureIndexed(context))) return;
  const { parts } = context;
  const forkParts = composeFork(parts, context.env, ({ message }) =>
    context.terminal.err(`Could not record this fork: ${message}`),
  );
  try {
    await resolveForks({ store: await parts.store(), journal: forkParts.journal }, parts.machine.now());
    const named = await namedSession(context, options.words);
    const job = { context, forkParts, options, asking, started };
    if (named !== null) {
      await takeSession(job, { session: named, query: null, rank: null, way: null });
    } else if (context.terminal.interactive) {
      await searchAndTake(job);
    } else {
      await listOnly(context, options);
    }
  } finally {
    forkParts.close();
  }
}

async function searchAndTake(job: ForkJob): Promise<void> {
  const { context, options, asking } = job;
  const { parts, terminal } = context;
  const filter = await filterOf(options, parts);
  const running = runningSessions(parts);
  if (running.length > 0) filter.excludeSessionIds = running;
  const chosen = await chooseSession(context, asking, options.words.join(' ').trim(), {
    filter,
    ...preferredRepository(context, options),
  });
  if (chosen === null) {
    terminal.err('Nothing was forked.');
    process.exitCode = EXIT.interrupted;
  } else if (chosen === 'fresh') {
    if (actionOf(options) !== null) process.exitCode = EXIT.failed;
    terminal.err('Starting fresh with no prior context.\nReady to begin! What would you like to work on?');
  } else {
    await takeSession(job, chosen);
  }
}

/** Without a terminal to pick in, prints the results with their commands, unless stdout must contain a single command. */
async function listOnly(context: CommandContext, options: ForkOptions): Promise<void> {
  const query = options.words.join(' ').trim();
  if (query === '') {
    throw new SmartForkError('USAGE', 'cannot ask for a query: not a terminal', {
      hint: 'Give a query, or the id of a session: smart-fork fork 8402b1ed.',
    });
  }
  if (options.json !== true && (options.check === true || actionOf(options) !== null)) {
    throw new SmartForkError(
      'SESSION_NOT_FOUND',
      `"${query}" is not the id of an indexed session, and there is no terminal to pick one`,
      {
        hint: 'smart-fork search lists sessions with their ids.',
      },
    );
  }
  const given = { ...filtersIn(options), query, everywhere: options.everywhere, limit: 3 };
  await runSearch(context, given, { json: options.json });
}

/** A dumb or tiny terminal gets plain lines instead of the picker. */
function askingOf({ terminal, signal, env }: CommandContext): Asking {
  const tiny = terminal.errorLook.columns < 40 || (terminal.stderr.rows ?? 24) < 10;
  return { terminal, signal, plain: env.TERM === 'dumb' || tiny };
}
