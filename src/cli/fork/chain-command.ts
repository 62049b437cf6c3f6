import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { withSession } from '../shared/session-argument.ts';

interface ChainArguments extends GlobalArguments {
  id: string;
}

export const chainCommand = {
  command: 'chain <id>',
  describe: "draw a session's fork tree",
  builder: (yargs: Argv) =>
    withSession(yargs, 'print the tree as JSON').example(
      '$0 chain 8402b1ed',
      'its ancestors, its forks and their forks',
    ),
  handler: (args: ChainArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const [{ findSession }, { forkTree, readForkLinks }] = await Promise.all([
        import('../../app/sessions/find-session.ts'),
        import('../../app/fork/fork-tree.ts'),
      ]);
      const store = await parts.store();
      const { session_id } = await findSession(store, args.id);
      const links = await readForkLinks(store);
      const tree = forkTree(parts, links, session_id);
      if (args.json === true) return terminal.out(JSON.stringify(tree));
      const [{ renderChain }, { withShortIds }] = await Promise.all([
        import('./render-chain.ts'),
        import('../shared/short-ids.ts'),
      ]);
      const look = await withShortIds(terminal, parts, [...links.sessions.keys()]);
      terminal.out(renderChain(tree, session_id, look, { nowMs: parts.machine.now() }));
    }),
};
