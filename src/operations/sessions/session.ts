import { summarizeSession } from '../../app/memory/summarize-session.ts';
import { countTurns } from '../../app/read/turns/turn-reader.ts';
import { longerOn } from '../../app/read/view-session.ts';
import { withHashes } from '../../app/read/with-hashes.ts';
import { contextSize } from '../../app/sessions/context-size.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { locateSession } from '../../app/sessions/locate-session.ts';
import { shownRecord } from '../../domain/json/shown-record.ts';
import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const session = operation({
  summary: 'describe a session, with the commands that continue it',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const store = await open.store();
    const found = await withHashes(open.git, await findSession(store, id));
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
      context: contextSize(
        open.sources.find(({ agent }) => agent === found.agent),
        found,
        location.transcript,
      ),
      summary: await summarizeSession({ ...open, store }, found),
      usage: await open.reports.sessionUsage(found.session_id, location.transcript),
    };
  },
});
