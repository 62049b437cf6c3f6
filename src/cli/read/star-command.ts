import { star } from '../../operations/marks/star.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const starCommand = operationCommand({
  operation: star,
  command: 'star <ids..>',
  json: 'print {"sessions": [{"session_id": ..., "starred": ...}]}',
  examples: [
    ['$0 star 8402b1ed', 'star a session'],
    ['$0 sessions --starred', 'list the starred sessions'],
  ],
  async print({ sessions }, { terminal, parts }) {
    const [{ withNames, withShortIds }, { createInk }] = await Promise.all([
      import('../shared/short-ids.ts'),
      import('../terminal/ink.ts'),
    ]);
    const ids = sessions.map(({ session_id }) => session_id);
    const { named } = createInk(await withNames(await withShortIds(terminal, parts, ids), parts, ids));
    for (const { session_id, starred } of sessions)
      terminal.out(`${named(session_id)}: ${starred ? 'starred' : 'not starred'}`);
  },
});
