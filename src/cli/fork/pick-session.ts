import { repositoryAround } from '../../app/search/repository-filter.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { getSession } from '../../app/sessions/get-session.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { type CommandContext, EXIT } from '../run-command.ts';
import { preferredRepository } from '../search/preferred-repository.ts';
import { runSearch } from '../search/run-search.ts';
import { filterOf, filtersIn } from '../shared/filter-options.ts';
import { type Chosen, chooseSession } from './choose-session.ts';
import { actionOf, askingOf, type ForkOptions } from './fork-job.ts';
import { quickenEscape } from './picker/ask-user.ts';

/** A word that may be an id: with a digit or "_", or six letters of hexadecimal. Fewer such letters might match a session by chance. */
const ID = /^(?=\w*[\d_]|[0-9a-f]{6})[\w-]{4,64}$/i;
/** A shorter word is a query. */
const SHORTEST = 4;
/** A word that is nothing else: it is not searched for if no session has it. */
const ONLY_ID = /^(?=[a-f-]*\d)[0-9a-f-]{8,36}$/i;

/** The session to fork: named by its id, or picked from a search. Null if there is none; the user has been told why. */
export async function pickSession(context: CommandContext, options: ForkOptions): Promise<Chosen | null> {
  const asking = askingOf(context);
  if (context.terminal.interactive && !asking.plain) quickenEscape(context.terminal);
  const isLast = options.last === true || (options.words.length === 1 && options.words[0] === LAST);
  if (isLast) return lastSession(context, options);
  const named = await namedSession(context, options);
  if (named !== null) return { session: named, query: options.query ?? null, rank: null, way: null };
  if (context.terminal.interactive) return searchAndChoose(context, options);
  await listOnly(context, options);
  return null;
}

const LAST = 'last';

/** The newest session that is not running: of this repository, or of all if it has none or another one is named. */
async function lastSession(context: CommandContext, options: ForkOptions): Promise<Chosen> {
  const { parts, terminal } = context;
  const store = await parts.store();
  const filter = { ...(await filterOf(options, parts)), excludeSessionIds: runningSessions(parts) };
  const here = filter.repo === undefined ? repositoryAround(process.cwd(), parts.probe) : null;
  const nearest = here === null ? [] : (await store.list({ ...filter, repo: here }, 1)).sessions;
  const [session] = nearest.length > 0 ? nearest : (await store.list(filter, 1)).sessions;
  if (session !== undefined) {
    if (here !== null && nearest.length === 0)
      terminal.err(
        `No session of this repository: the newest of all is of ${sanitizeLine(session.repo_name)}.`,
      );
    return { session, query: options.query ?? null, rank: null, way: null };
  }
  throw new SmartForkError('SESSION_NOT_FOUND', 'no session matches', {
    hint: 'smart-fork sessions lists sessions with the same filters.',
  });
}

/** The session named by id or prefix, if that is the only word; null if the words are a query. */
async function namedSession(context: CommandContext, options: ForkOptions): Promise<SessionPayload | null> {
  const [word = '', ...more] = options.words;
  const store = await context.parts.store();
  if (more.length > 0 || word === '') return null;
  const exact = await getSession(store, word);
  if (exact !== null) return exact;
  if (!ID.test(word) && !(word.length >= SHORTEST && mustBeNamed(context, options))) return null;
  try {
    return await findSession(store, word);
  } catch (error) {
    const isWord = error instanceof SmartForkError && !ONLY_ID.test(word) && !/several/.test(error.message);
    if (isWord) return null;
    throw error;
  }
}

/** Whether the session cannot be picked: there is no terminal, and stdout must contain a single command or one session's checks. */
function mustBeNamed({ terminal }: CommandContext, options: ForkOptions): boolean {
  return (
    !terminal.interactive && options.json !== true && (options.check === true || actionOf(options) !== null)
  );
}

async function searchAndChoose(context: CommandContext, options: ForkOptions): Promise<Chosen | null> {
  const { parts, terminal } = context;
  const filter = await filterOf(options, parts);
  const running = runningSessions(parts);
  if (running.length > 0) filter.excludeSessionIds = running;
  const chosen = await chooseSession(context, askingOf(context), queryOf(options), {
    filter,
    ...preferredRepository(context, options),
  });
  if (chosen === null) {
    terminal.err('Nothing was forked.');
    process.exitCode = EXIT.interrupted;
    return null;
  }
  if (chosen !== 'fresh') return chosen;
  if (actionOf(options) !== null) process.exitCode = EXIT.failed;
  terminal.err('Starting fresh with no prior context.\nReady to begin! What would you like to work on?');
  return null;
}

/** Without a terminal to pick in, prints the results with their commands, unless stdout must contain a single command. */
async function listOnly(context: CommandContext, options: ForkOptions): Promise<void> {
  const query = queryOf(options);
  if (query === '') {
    throw new SmartForkError('USAGE', 'cannot ask for a query: not a terminal', {
      hint: 'Give a query, or the id of a session: smart-fork fork 8402b1ed.',
    });
  }
  if (mustBeNamed(context, options)) {
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

function queryOf({ words, query = '' }: ForkOptions): string {
  return words.join(' ').trim() || query;
}
