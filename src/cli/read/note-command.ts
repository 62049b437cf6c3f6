import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface NoteArguments extends GlobalArguments {
  id: string;
  text?: string[];
  remove?: boolean;
}

export const noteCommand = {
  command: 'note <id> [text..]',
  describe: 'show, write or remove the note on a session',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', { type: 'string', demandOption: true, describe: 'session id or prefix' })
      .positional('text', { type: 'string', describe: 'text of the note; replaces an earlier note' })
      .option('remove', { type: 'boolean', alias: 'd', describe: 'remove the note' })
      .option('json', { type: 'boolean', describe: 'print {"session_id": ..., "note": ...}' })
      .example('$0 note 8402b1ed "the first attempt, without the queue"', 'write a note')
      .example('$0 sessions --noted', 'list the sessions with notes'),
  handler: (args: NoteArguments) =>
    runCommand(args, async (context) => {
      const { parts, terminal } = context;
      const given = (args.text ?? []).join(' ');
      if (args.remove === true && given !== '') throw new SmartForkError('USAGE', '--remove takes no text');
      const { noteSession } = await import('../../app/sessions/mark-session.ts');
      const wanted = args.remove === true ? '' : given === '' ? undefined : given;
      const noted = await noteSession({ ...parts, store: await parts.store() }, args.id, wanted);
      if (wanted !== undefined) await (await import('../share/run-sending.ts')).sendSoon(context);
      if (args.json === true) return terminal.out(JSON.stringify(noted));
      terminal.out(noted.note ?? '(no note)');
    }),
};
