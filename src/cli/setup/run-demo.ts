import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { retrieveSession } from '../../app/read/retrieve-session.ts';
import { getSession } from '../../app/sessions/get-session.ts';
import { compose } from '../../compose/parts.ts';
import { byAgent } from '../../domain/agent/by-agent.ts';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { commandLine } from '../../domain/machine/shell.ts';
import { renderIndexSummary } from '../index/render-index-summary.ts';
import { runIndexing } from '../index/run-indexing.ts';
import type { CommandContext } from '../run-command.ts';
import { renderSearch } from '../search/render-search.ts';
import { search } from '../search/run-search.ts';
import { symbolsFor } from '../terminal/symbols.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { truncate } from '../terminal/width.ts';

const QUERY = 'add real-time token usage cards to my dashboard';
const SHOWN_RESULTS = 3;
const SHOWN_LINES = 24;
const CONTEXT_TOKENS = 1500;

/** Indexes the sample sessions in a temporary home, searches them and prints the context of one. */
export async function runDemo(outer: CommandContext, words: string): Promise<void> {
  const home = temporaryHome();
  const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
  const homes = byAgent((agent) => [join(examples, agent)]);
  const config = {
    ...outer.config,
    home,
    homes,
    transcriptHomes: homes,
    usedHomes: byAgent((agent) => join(examples, agent)),
    currentSessionId: null,
    // Never send the samples to a server.
    qdrant: null,
  };
  const composed = await compose(config);
  // Commands look as they would on the samples' own machine, where their folders exist.
  const parts = { ...composed, machine: { ...composed.machine, directoryExists: () => true } };
  const context: CommandContext = { ...outer, config, parts };
  try {
    await walkThrough(context, words.trim() === '' ? QUERY : words);
  } finally {
    await context.parts.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function temporaryHome(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'smart-fork-demo-'));
  } catch (error) {
    throw new SmartForkError('USAGE', `cannot create a folder in ${tmpdir()}: ${errorText(error)}`, {
      hint: 'Set TMPDIR to a folder that you can write to.',
      cause: error,
    });
  }
}

async function walkThrough(context: CommandContext, query: string): Promise<void> {
  const { parts, terminal, signal } = context;
  const say = (text: string) => terminal.out(text);
  say(heading(terminal, 'Index the sample sessions', 'smart-fork index'));
  const summary = await runIndexing(context, { force: false, embed: true, keep: false, quiet: false });
  if (signal.aborted) return;
  say(renderIndexSummary(summary, terminal));

  say(
    heading(
      terminal,
      'Search for what you want to do',
      commandLine(['smart-fork', 'search', query], null, parts.machine.shell),
    ),
  );
  const response = await search(context, { query, limit: SHOWN_RESULTS });
  say(renderSearch(response, terminal, { nowMs: parts.machine.now(), stays: false }));
  const first = response.results[0];
  if (first === undefined || signal.aborted) return;

  // The sessions are gone after the demo, so a command that names one would not work.
  say(heading(terminal, 'Or print its context for an agent'));
  const store = await parts.store();
  const session = await getSession(store, first.session_id);
  if (session === null) return;
  const { markdown } = await retrieveSession(
    { ...parts, store },
    { session, query, maxTokens: CONTEXT_TOKENS },
  );
  const { ellipsis } = symbolsFor(terminal.unicode);
  const lines = markdown.split('\n');
  say(
    lines
      .slice(0, SHOWN_LINES)
      .map((line) => truncate(line, terminal.columns, ellipsis))
      .join('\n'),
  );
  say(`${ellipsis} ${lines.length - SHOWN_LINES} more lines`);
  say(heading(terminal, 'Now try it on your own sessions', 'npx smart-fork index'));
  say('The demo left no files behind. smart-fork only reads your transcripts; they stay on this machine.');
}

function heading(terminal: Terminal, title: string, command?: string): string {
  const mark = terminal.unicode ? '▸' : '>';
  return [`\n${mark} ${title}`, ...(command === undefined ? [] : [`  $ ${command}`]), ''].join('\n');
}
