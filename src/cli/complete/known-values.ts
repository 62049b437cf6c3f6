import type { Parts } from '../../compose/parts.ts';
import { shortIds } from '../../compose/sessions/short-ids.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import { readMarks } from '../../domain/tags/marks.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { timeAgo } from '../../domain/text/time-text.ts';
import { titleOf } from '../shared/labels.ts';

export interface Completion {
  value: string;
  /** A description in a few words; may be empty. */
  about: string;
}

/** Values that can be completed besides commands, options and their choices. */
export interface KnownValues {
  ids: Completion[];
  repositories: Completion[];
  branches: Completion[];
  machines: Completion[];
  tags: Completion[];
  languages: Completion[];
}

const MAX_SESSIONS = 500;

/** Read from this machine's store, newest first: a server may take longer than a user waits for a completion. */
export async function knownValues(parts: Parts): Promise<KnownValues> {
  const { sessions } = parts.localFile.exists()
    ? await (await parts.local()).list({}, MAX_SESSIONS)
    : { sessions: [] };
  const shortId = await shortIds(
    parts,
    sessions.map(({ session_id }) => session_id),
  );
  const now = parts.machine.now();
  return {
    ids: tellApart(sessions).map((session) => ({
      value: shortId(session.session_id),
      about: `${timeAgo(session.ended_at ?? session.started_at, now)}, ${sanitizeLine(session.repo_name)}: ${titleOf(session)}`,
    })),
    repositories: distinct([
      ...sessions.map(({ repo_name }) => repo_name),
      ...sessions.flatMap(({ repo_key }) => repo_key ?? []),
    ]),
    branches: distinct(sessions.flatMap(({ branch }) => branch ?? [])),
    machines: distinct(sessions.map(({ machine }) => machine)),
    languages: distinct(sessions.flatMap(({ languages }) => languages ?? [])),
    tags: distinct(sessions.flatMap(({ tags }) => readMarks(tags).tags)),
  };
}

function distinct(values: string[]): Completion[] {
  return [...new Set(values.map(sanitizeLine))].map((value) => ({ value, about: '' }));
}
