import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import { shortId } from '../../domain/session/session-id.ts';
import { sanitize, sanitizeLine } from '../../domain/text/sanitize.ts';
import { ask } from '../../operations/fork/ask.ts';
import { operationCommand } from '../operation/operation-command.ts';
import { createInk } from '../terminal/ink.ts';

export const askCommand = operationCommand({
  operation: ask,
  command: 'ask <id> <question>',
  json: 'print the answer as JSON',
  waiting: 'Asking',
  examples: [
    [
      '$0 ask 8402b1ed "which flags did we rule out?"',
      'the agent answers from the session, and forgets the question',
    ],
    ['$0 ask 8402b1ed "what was left to do?" --at 4', 'as of its fourth turn'],
  ],
  print({ answer, session, turn }, { terminal }) {
    const { style } = createInk(terminal);
    const { title, session_id, agent } = session;
    terminal.out(sanitize(answer));
    terminal.out('');
    const source = `${title} · ${AGENT_ROWS[agent].name} · ${shortId(session_id)} · up to turn ${turn}`;
    terminal.out(style.dim(sanitizeLine(source)));
  },
});
