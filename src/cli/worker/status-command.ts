import { status } from '../../operations/state/status.ts';
import { operationCommand } from '../operation/operation-command.ts';
import { EXIT } from '../run-command.ts';

export const statusCommand = operationCommand({
  operation: status,
  command: 'status',
  json: 'print as JSON',
  examples: [['$0 status', 'see whether the worker is running, and its queue']],
  exitCode: ({ problems }) => (problems.length > 0 ? EXIT.failed : EXIT.done),
  async print(report, { terminal, parts, env }) {
    // Lists every transcript, which a program that asks again and again does not wait for.
    const cleanup = terminal.isTTY
      ? await (await import('../../compose/reports/check-cleanups.ts')).checkCleanups(parts, env)
      : [];
    const { renderStatus } = await import('./render-status.ts');
    terminal.out(renderStatus(report, terminal, { cleanup, nowMs: parts.machine.now() }));
  },
});
