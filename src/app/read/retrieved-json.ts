import { HISTORY_NOTICE } from '../../domain/own/context-text.ts';
import { readMarks } from '../../domain/tags/marks.ts';
import type { RetrievedContext } from './retrieve-session.ts';

type Retrieved = Pick<RetrievedContext, 'session' | 'from' | 'passages' | 'total' | 'location' | 'summary'>;

/** What `retrieve --format json` prints. */
export function retrievedJson(retrieved: Retrieved) {
  return { notice: HISTORY_NOTICE, ...retrievedFields(retrieved) };
}

export function retrievedFields({ session, from, passages, total, location, summary }: Retrieved) {
  return {
    session: { ...session, ...readMarks(session.tags) },
    from,
    local: location.transcript !== null,
    restorable: location.restorable,
    fork_command: location.command,
    resume_command: location.resume,
    summary,
    passages,
    total_passages: total,
  };
}
