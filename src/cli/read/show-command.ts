import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface ShowArguments extends GlobalArguments {
  id: string;
}

export const showCommand = {
  command: 'show <id>',
  describe: 'show a session and its turns',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id, or a prefix of one',
      })
      .option('json', { type: 'boolean', describe: 'print the record and the turns as JSON' })
      .example('$0 show 8402b1ed', 'show it in your pager'),
  handler: (args: ShowArguments) =>
    runCommand(args, async ({ parts, terminal, env }) => {
      const { findSession } = await import('../../app/sessions/find-session.ts');
      const { viewSession } = await import('../../app/read/view-session.ts');
      const store = await parts.store();
      const view = await viewSession({ ...parts, store }, await findSession(store, args.id));
      if (args.json === true) return terminal.out(JSON.stringify(view));
      const [{ renderSession }, { page }] = await Promise.all([
        import('./render-session.ts'),
        import('../terminal/pager.ts'),
      ]);
      await page(renderSession(view, terminal, { nowMs: parts.machine.now() }), terminal, env);
    }),
};
