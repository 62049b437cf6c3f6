import type { Argv } from 'yargs';
import type { RetrievedContext } from '../../app/read/retrieve-session.ts';
import type { RetrievedPart } from '../../app/read/retrieve-sessions.ts';
import { retrievedFields, retrievedJson } from '../../app/read/retrieved-json.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { HISTORY_NOTICE } from '../../domain/own/context-text.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { sanitize } from '../../domain/text/sanitize.ts';
import { type CommandContext, type GlobalArguments, runCommand } from '../run-command.ts';
import { numberOption } from '../shared/number-option.ts';

const FORMATS = ['markdown', 'json', 'jsonl'] as const;
const DEFAULT_TOKENS = 8000;
const MIN_TOKENS = 200;
type Format = (typeof FORMATS)[number];

interface RetrieveArguments extends GlobalArguments {
  ids: string[];
  query?: string;
  maxTokens?: number;
  full?: boolean;
  format?: string;
}

export const retrieveCommand = {
  command: 'retrieve <ids..>',
  describe: 'print the context of one or several sessions, as background for an agent',
  builder: (yargs: Argv) =>
    yargs
      .positional('ids', {
        type: 'string',
        demandOption: true,
        describe: 'session ids or prefixes; several share the budget, and shared passages are printed once',
      })
      .option('query', { type: 'string', alias: 'q', describe: 'prefer passages that match this query' })
      .option(
        'max-tokens',
        numberOption('--max-tokens', {
          min: MIN_TOKENS,
          describe: `maximum length of the text in tokens (default ${DEFAULT_TOKENS})`,
        }),
      )
      .option('full', { type: 'boolean', describe: 'print the whole conversation' })
      .option('format', { type: 'string', choices: FORMATS, default: 'markdown', describe: 'output format' })
      .option('json', { type: 'boolean', describe: 'the same as --format json' })
      .conflicts('full', 'max-tokens')
      .example('$0 retrieve 8402b1ed --query "websocket reconnect"', 'print at most 8,000 tokens of context')
      .example('$0 retrieve 8402b1ed 1c0ffee5 -q login', 'print one context of two sessions')
      .example('$0 retrieve 8402b1ed --full > session.md', 'print all of it'),
  handler: (args: RetrieveArguments) => runCommand(args, (context) => retrieve(context, args)),
};

/** Prints the context to stdout, and the commands that resume and fork each session to stderr. */
async function retrieve({ parts, terminal }: CommandContext, args: RetrieveArguments): Promise<void> {
  const maxTokens = args.full === true ? null : (args.maxTokens ?? DEFAULT_TOKENS);
  const [{ findSession }, { retrieveSession }, { retrieveSessions }] = await Promise.all([
    import('../../app/sessions/find-session.ts'),
    import('../../app/read/retrieve-session.ts'),
    import('../../app/read/retrieve-sessions.ts'),
  ]);
  const store = await parts.store();
  const sessions = new Map<string, SessionPayload>();
  for (const id of args.ids) {
    const session = await findSession(store, id);
    sessions.set(session.session_id, session);
  }
  const request = { maxTokens, query: args.query };
  const format = FORMATS.find((one) => one === (args.json === true ? 'json' : args.format)) ?? 'markdown';
  const here = parts.machine.name;
  const [first, ...others] = sessions.values();
  if (first === undefined) return;
  if (others.length === 0) {
    const retrieved = await retrieveSession({ ...parts, store }, { session: first, ...request });
    terminal.err(sanitize(whereItIs(retrieved, here)));
    return terminal.out(formatted(retrieved, format));
  }
  const fewest = MIN_TOKENS * sessions.size;
  if (maxTokens !== null && maxTokens < fewest)
    throw new SmartForkError(
      'USAGE',
      `--max-tokens ${maxTokens} is too small for ${sessions.size} sessions`,
      {
        hint: `Allow at least ${fewest}: ${MIN_TOKENS} for each session.`,
      },
    );
  const retrieved = await retrieveSessions({ ...parts, store }, { sessions: [first, ...others], ...request });
  for (const one of retrieved) terminal.err(sanitize(`${one.session.session_id}: ${whereItIs(one, here)}`));
  terminal.out(formattedTogether(retrieved, format));
}

function whereItIs({ location, session, problem }: RetrievedContext, machine: string): string {
  const where = session.machine === machine ? 'gone from this machine' : 'not on this machine';
  if (problem !== null)
    return `Session ${session.session_id} is ${where}, and its archived copy cannot be read; this is its context from the index.\n${problem}`;
  const { canFork, restorable, resume, command } = location;
  if (!canFork) return `Session ${session.session_id} is ${where}; this is its context from the index.`;
  if (restorable)
    return `The transcript of this session is ${where}, but archived.\nRestore and resume it: ${resume}\nRestore and fork it:   ${command}`;
  return `This session is on this machine.\nResume it: ${resume}\nFork it:   ${command}`;
}

function formatted(retrieved: RetrievedContext, format: Format): string {
  const { passages, markdown } = retrieved;
  if (format === 'markdown') return markdown;
  if (format === 'jsonl') return passages.map((passage) => JSON.stringify(passage)).join('\n');
  return JSON.stringify(retrievedJson(retrieved));
}

function formattedTogether(retrieved: RetrievedPart[], format: Format): string {
  if (format === 'markdown') return retrieved.map(({ markdown }) => markdown).join('\n');
  if (format === 'jsonl')
    return retrieved
      .flatMap(({ session: { session_id }, passages }) => passages.map((one) => ({ session_id, ...one })))
      .map((passage) => JSON.stringify(passage))
      .join('\n');
  return JSON.stringify({
    notice: HISTORY_NOTICE,
    sessions: retrieved.map((one) => ({ ...retrievedFields(one), repeated_passages: one.repeated })),
  });
}
