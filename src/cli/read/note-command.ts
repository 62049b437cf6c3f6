import { SmartForkError } from '../../domain/errors.ts';
import { note } from '../../operations/marks/note.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const noteCommand = operationCommand({
  operation: note,
  command: 'note <id> [text..]',
  describe: 'show, write or remove the note on a session',
  about: { text: 'text of the note; replaces an earlier note' },
  options: { remove: { type: 'boolean', alias: 'd', describe: 'remove the note' } },
  json: 'print {"session_id": ..., "note": ...}',
  examples: [
    ['$0 note 8402b1ed "the first attempt, without the queue"', 'write a note'],
    ['$0 sessions --noted', 'list the sessions with notes'],
  ],
  prepare({ id, text = '' }, { remove }) {
    if (remove === true && text !== '') throw new SmartForkError('USAGE', '--remove takes no text');
    // Only --remove removes a note: an empty text is a variable of a shell that is not set.
    return { id, text: remove === true ? '' : text || undefined };
  },
  print({ note: written }, { terminal }) {
    terminal.out(written ?? '(no note)');
  },
});
