import { treeIds } from '../../app/fork/fork-tree.ts';
import { forks } from '../../operations/fork/forks.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const chainCommand = operationCommand({
  operation: forks,
  command: 'chain <id>',
  json: 'print the tree as JSON',
  examples: [['$0 chain 8402b1ed', 'its ancestors, its forks and their forks']],
  async print(tree, { terminal, parts }, { id }) {
    const [{ renderChain }, { withShortIds }, { findSession }] = await Promise.all([
      import('./render-chain.ts'),
      import('../shared/short-ids.ts'),
      import('../../app/sessions/find-session.ts'),
    ]);
    const { session_id } = await findSession(await parts.store(), String(id));
    const look = await withShortIds(terminal, parts, treeIds(tree));
    terminal.out(renderChain(tree, session_id, look, { nowMs: parts.machine.now() }));
  },
});
