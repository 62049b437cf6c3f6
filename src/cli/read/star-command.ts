import type { Argv } from 'yargs';
import type { MarkedSession } from '../../app/sessions/mark-session.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface StarArguments extends GlobalArguments {
  ids: string[];
  remove?: boolean;
}

export const starCommand = {
  command: 'star <ids..>',
  describe: 'star sessions, or remove their stars',
  builder: (yargs: Argv) =>
    yargs
      .positional('ids', { type: 'string', demandOption: true, describe: 'session ids or prefixes' })
      .option('remove', { type: 'boolean', alias: 'd', describe: 'remove the stars' })
      .option('json', {
        type: 'boolean',
        describe: 'print {"sessions": [{"session_id": ..., "starred": ...}]}',
      })
      .example('$0 star 8402b1ed', 'star a session')
      .example('$0 sessions --starred', 'list the starred sessions'),
  handler: (args: StarArguments) =>
    runCommand(args, async (context) => {
      const { parts, terminal } = context;
      const { starSession } = await import('../../app/sessions/mark-session.ts');
      const store = await parts.store();
      const sessions: MarkedSession[] = [];
      for (const id of args.ids) sessions.push(await starSession(store, id, args.remove !== true));
      await (await import('../share/run-sending.ts')).sendSoon(context);
      if (args.json === true) return terminal.out(JSON.stringify({ sessions }));
      const { shortIds } = await import('../../compose/sessions/short-ids.ts');
      const shortId = await shortIds(
        parts,
        sessions.map(({ session_id }) => session_id),
      );
      for (const { session_id, starred } of sessions)
        terminal.out(`${shortId(session_id)} ${starred ? 'starred' : 'not starred'}`);
    }),
};
