import { timeAgo } from '../../domain/text/time-text.ts';
import { logins } from '../../operations/state/logins.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const loginsCommand = operationCommand({
  operation: logins,
  command: 'logins',
  json: 'print {"logins": [{"id", "since", "last_used", "expires", "browser"}]}',
  examples: [['$0 logins', 'see who can read the page']],
  async print({ logins: found }, { terminal, parts }) {
    if (found.length === 0) return terminal.out('No browser is signed in to the page.');
    for (const { id, since, last_used, browser } of found) {
      const times = [since, last_used].map((time) => timeAgo(time, parts.machine.now()));
      terminal.out(
        `${id.slice(0, 8)}  ${browser ?? 'unknown'}, signed in ${times[0]}, last used ${times[1]}`,
      );
    }
  },
});
