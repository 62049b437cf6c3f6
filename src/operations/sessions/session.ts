import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const session = operation({
  summary: 'describe a session, with the commands that continue it',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const [{ findSession }, { locateSession }, { longerOn }, { countTurns }, { shownRecord }] =
      await Promise.all([
        import('../../app/sessions/find-session.ts'),
        import('../../app/sessions/locate-session.ts'),
        import('../../app/read/view-session.ts'),
        import('../../app/read/turns/turn-reader.ts'),
        import('../../domain/json/shown-record.ts'),
      ]);
    const store = await open.store();
    const found = await findSession(store, id);
    const location = locateSession(open, found);
    return {
      session: shownRecord(found),
      local: location.transcript !== null,
      restorable: location.restorable,
      longer_on: longerOn({ ...open, store }, found, location),
      resume: location.resume,
      fork: location.canFork ? location.command : null,
      turn_count: await countTurns({ ...open, store }, found),
      subagents: found.subagents ?? [],
    };
  },
});
