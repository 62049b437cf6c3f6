import { type RetrievedContext, retrieveSession } from '../../app/read/retrieve-session.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { HISTORY_NOTICE } from '../../domain/text/context-text.ts';
import type { CommandContext } from '../run-command.ts';

export interface RetrieveOptions {
  id: string;
  query?: string | undefined;
  maxTokens?: number | undefined;
  full?: boolean | undefined;
  format: 'markdown' | 'json' | 'jsonl';
}

const DEFAULT_TOKENS = 8000;
const FEWEST_TOKENS = 200;

/** Says on stderr how to go on natively, where that is possible; prints the context on stdout. */
export async function runRetrieve(context: CommandContext, options: RetrieveOptions): Promise<void> {
  const { parts, terminal } = context;
  const maxTokens = options.full === true ? null : (options.maxTokens ?? DEFAULT_TOKENS);
  if (maxTokens !== null && !(maxTokens >= FEWEST_TOKENS)) {
    throw new SmartForkError('USAGE', `--max-tokens ${maxTokens} is not a number from ${FEWEST_TOKENS} on`);
  }
  const store = await parts.store();
  const session = await findSession(store, options.id);
  const retrieved = await retrieveSession(
    { ...parts, store },
    { session, maxTokens, ...(options.query !== undefined && { query: options.query }) },
  );
  terminal.err(whereItIs(retrieved, parts.machine.name));
  terminal.out(format(retrieved, options.format));
}

function whereItIs({ fork, session, problem }: RetrievedContext, machine: string): string {
  const where = session.machine === machine ? 'gone from this machine' : 'not on this machine';
  if (problem !== null)
    return `Session ${session.session_id} is ${where}, and its copy cannot be read; this is its context from the index.\n${problem}`;
  if (!fork.canFork) return `Session ${session.session_id} is ${where}; this is its context from the index.`;
  if (fork.restorable)
    return `The transcript of this session is ${where}, but kept. Restore and resume it: ${fork.resume}\nRestore and fork it:   ${fork.command}`;
  return `This session is on this machine. Resume it: ${fork.resume}\nFork it:   ${fork.command}`;
}

function format(retrieved: RetrievedContext, form: RetrieveOptions['format']): string {
  const { session, from, passages, total, fork, markdown } = retrieved;
  if (form === 'markdown') return markdown;
  if (form === 'jsonl') return passages.map((passage) => JSON.stringify(passage)).join('\n');
  return JSON.stringify({
    notice: HISTORY_NOTICE,
    session,
    from,
    local: fork.local,
    restorable: fork.restorable,
    fork_command: fork.command,
    resume_command: fork.resume,
    passages,
    total_passages: total,
  });
}
