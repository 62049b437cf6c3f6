import type { RetrievedContext } from '../../app/read/retrieve-session.ts';
import { sanitize } from '../../domain/text/sanitize.ts';
import { type Given, readInput } from '../../operations/fields.ts';
import { retrieve, retrieveContexts, retrievedAnswer } from '../../operations/read/retrieve.ts';
import { openHere } from '../operation/open-here.ts';
import { type CommandContext, defineCommand, type GlobalArguments, runCommand } from '../run-command.ts';
import { inputOf, withFields } from '../shared/field-options.ts';

const FORMATS = ['markdown', 'json', 'jsonl'] as const;
const COMMAND = 'retrieve <ids..>';

type RetrieveArguments = GlobalArguments & Record<string, unknown> & { format?: string };

export const retrieveCommand = defineCommand({
  command: COMMAND,
  describe: retrieve.summary,
  builder: (yargs) =>
    withFields(yargs, COMMAND, retrieve.fields)
      .option('format', { type: 'string', choices: FORMATS, default: 'markdown', describe: 'output format' })
      .option('json', { type: 'boolean', describe: 'the same as --format json' })
      .conflicts('full', 'max-tokens')
      .example('$0 retrieve 8402b1ed --query "websocket reconnect"', 'print at most 8,000 tokens of context')
      .example('$0 retrieve 8402b1ed 1c0ffee5 -q login', 'print one context of two sessions')
      .example('$0 retrieve 8402b1ed --full > session.md', 'print all of it'),
  handler: (args) => runCommand(args, (context) => printContexts(context, args)),
});

/** Prints the context to stdout, and the commands that resume and fork each session to stderr. */
async function printContexts(context: CommandContext, args: RetrieveArguments): Promise<void> {
  const { terminal, parts } = context;
  const { open, caller } = openHere(context);
  const given = inputOf(retrieve.fields, COMMAND, {}, args) as Given<typeof retrieve.fields>;
  const input = readInput(retrieve.fields, given, caller.nameOf);
  const contexts = await retrieveContexts(open, input, caller);
  for (const one of contexts) {
    const whose = contexts.length === 1 ? '' : `${one.session.session_id}: `;
    terminal.err(sanitize(`${whose}${whereItIs(one, parts.machine.name)}`));
  }
  if (args.json === true || args.format === 'json')
    return terminal.out(JSON.stringify(await retrievedAnswer(contexts)));
  terminal.out(
    args.format === 'jsonl' ? passageLines(contexts) : contexts.map(({ markdown }) => markdown).join('\n'),
  );
}

function whereItIs({ location, session, problem }: RetrievedContext, machine: string): string {
  const where = session.machine === machine ? 'gone from this machine' : 'not on this machine';
  if (problem !== null)
    return `Session ${session.session_id} is ${where}, and its archived copy cannot be read; this is its context from the index.\n${problem}`;
  const { canFork, restorable, resume, command, transcript } = location;
  if (!canFork && transcript !== null)
    return 'This session is on this machine, but its agent cannot fork it; this is its context.';
  if (!canFork) return `Session ${session.session_id} is ${where}; this is its context from the index.`;
  if (restorable)
    return `The transcript of this session is ${where}, but archived.\nRestore and resume it: ${resume}\nRestore and fork it:   ${command}`;
  return `This session is on this machine.\nResume it: ${resume}\nFork it:   ${command}`;
}

/** One passage a line, with its session's id if there are several sessions. */
function passageLines(contexts: RetrievedContext[]): string {
  const isOne = contexts.length === 1;
  return contexts
    .flatMap(({ session: { session_id }, passages }) =>
      passages.map((passage) => JSON.stringify(isOne ? passage : { session_id, ...passage })),
    )
    .join('\n');
}
