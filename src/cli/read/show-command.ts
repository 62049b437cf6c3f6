import { writeFileSync } from 'node:fs';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import { html } from '../../operations/read/html.ts';
import { show as operation } from '../../operations/read/show.ts';
import { type CommandContext, defineCommand, type GlobalArguments, runCommand } from '../run-command.ts';
import { withFields } from '../shared/field-options.ts';
import { numberOption } from '../shared/number-option.ts';

interface ShowArguments extends GlobalArguments {
  id: string;
  turn?: number;
  query?: string;
  html?: string;
  thinking?: boolean;
}

const COMMAND = 'show <id>';

export const showCommand = defineCommand({
  command: COMMAND,
  describe: operation.summary,
  builder: (yargs) =>
    withFields(yargs, COMMAND, operation.fields)
      .option('json', { type: 'boolean', describe: 'print the record and the turns as JSON' })
      .option(
        'turn',
        numberOption('--turn', { alias: 't', whole: true, min: 1, describe: 'show only this turn' }),
      )
      .option('query', {
        type: 'string',
        alias: 'q',
        requiresArg: true,
        describe: 'show only passages that match this query, best turn first',
      })
      .option('html', {
        type: 'string',
        requiresArg: true,
        describe: 'write it into this file as one HTML document, to send to somebody; - prints it',
      })
      .option('thinking', {
        type: 'boolean',
        implies: 'html',
        describe: `for --html: ${html.fields.thinking.about}`,
      })
      .conflicts('turn', 'query')
      .conflicts('html', ['turn', 'query', 'json'])
      .example('$0 show 8402b1ed', 'show it in your pager')
      .example('$0 show 8402b1ed --html session.html', 'write it as a page, to send to somebody')
      .example('$0 show 8402b1ed --turn 4', 'show its fourth turn')
      .example('$0 show 8402b1ed --query "retry delay"', 'find the turn to fork at'),
  handler: (given) =>
    runCommand(given, (context) => {
      const args = { ...given, id: String(given.id) };
      return args.html === undefined ? show(context, args) : saveHtml(context, args, args.html);
    }),
});

async function show({ parts, terminal, env }: CommandContext, args: ShowArguments): Promise<void> {
  const { findSession } = await import('../../app/sessions/find-session.ts');
  const { openSession, viewSession, viewTurn } = await import('../../app/read/view-session.ts');
  const { withHashes } = await import('../../app/read/with-hashes.ts');
  const { page, pageAsItComes } = await import('../terminal/pager.ts');
  const { renderHead, renderTurn, renderTurns } = await import('./render-session.ts');
  const store = await parts.store();
  const deps = { ...parts, store };
  const git = async () => (await import('../../compose/trace.ts')).createGitReader(env);
  const session = await withHashes(git, await findSession(store, args.id));
  const usage = () => usageOf(parts, session);
  const summary = async () => {
    const { summarizeSession } = await import('../../app/memory/summarize-session.ts');
    return summarizeSession({ store, git }, session);
  };
  if (args.turn !== undefined) {
    const { view, count } = await viewTurn(deps, session, args.turn - 1);
    if (view.turns.length === 0) throw noSuchTurn(session.session_id, args.turn, count);
    return args.json === true
      ? terminal.out(JSON.stringify(view))
      : page(renderTurn(view, terminal), terminal, env);
  }
  if (args.query === undefined && args.json !== true) {
    const { head, steps } = await openSession(deps, session);
    const { withNames } = await import('../shared/short-ids.ts');
    const mentioned = [session.parent?.session_id ?? [], session.continued_in ?? []].flat();
    const look = await withNames(terminal, parts, mentioned);
    const view = { ...head, summary: await summary(), usage: await usage() };
    const start = renderHead(view, look, { nowMs: parts.machine.now() });
    return pageAsItComes(renderTurns(start, steps, terminal), terminal, env);
  }
  const view = await viewSession(deps, session);
  if (args.query === undefined) {
    return terminal.out(JSON.stringify({ ...view, summary: await summary(), usage: await usage() }));
  }
  const { matchTurns } = await import('../../app/read/match-turns.ts');
  const matches = matchTurns(view.turns, args.query, parts.tokenizer);
  if (args.json === true) return terminal.out(JSON.stringify({ session: view.session, matches }));
  const { renderMatches } = await import('./render-matches.ts');
  const { withShortIds } = await import('../shared/short-ids.ts');
  const look = await withShortIds(terminal, parts, [view.session.session_id]);
  return page(renderMatches(view, { query: args.query, matches }, look), terminal, env);
}

async function saveHtml(
  context: CommandContext,
  { id, thinking }: ShowArguments,
  file: string,
): Promise<void> {
  const { perform } = await import('../../operations/operation.ts');
  const { openHere } = await import('../operation/open-here.ts');
  const { open, caller } = openHere(context);
  const { html: document, turns, left_out } = await perform(html, open, { id, thinking }, caller);
  if (file === '-') return context.terminal.out(document);
  try {
    // Readable by this user alone, like the transcript. An existing file is never overwritten.
    writeFileSync(file, document, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new SmartForkError('USAGE', `cannot write ${file}: ${isThere ? 'it exists' : errorText(error)}`, {
      hint: isThere ? 'Delete it, or name another file.' : 'Name a file in a folder that you can write to.',
      cause: error,
    });
  }
  const left = left_out === 0 ? '' : `; the last ${left_out} are left out`;
  context.terminal.out(`Wrote ${plural(turns, 'turn')} to ${sanitizeLine(file)}${left}`);
}

async function usageOf(parts: CommandContext['parts'], session: SessionPayload) {
  const { locateSession } = await import('../../app/sessions/locate-session.ts');
  const { sessionUsageHere } = await import('../../compose/reports/read-usage.ts');
  return sessionUsageHere(parts, session.session_id, locateSession(parts, session).transcript);
}

function noSuchTurn(id: string, wanted: number, count: number): SmartForkError {
  return new SmartForkError('USAGE', `no turn ${wanted}: the session has ${count}`, {
    hint: `smart-fork show ${idToType(id)} lists the turns; --query finds a matching one.`,
  });
}
