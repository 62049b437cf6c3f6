import { type Request, type SummaryLine, summarize } from '../../domain/memory/summarize.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { tellingTitle } from '../../domain/session/title.ts';
import { titleOf } from '../../domain/session/title-line.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { storedTurns } from '../sessions/conversation/stored-conversation.ts';
import type { CommitDependencies } from './commits-since.ts';
import { ideasNow } from './list-open.ts';

const MAX_SPANS = 200;
const MAX_IDEAS = 2000;

/** A session's summary, in words of its transcript; empty if nothing was extracted. */
export async function summarizeSession(
  deps: CommitDependencies & { store: Pick<PointStore, 'listMemory' | 'getChunks'> },
  session: SessionPayload,
): Promise<SummaryLine[]> {
  const only = { sessions: { sessionIds: [session.session_id] } };
  const [spans, ideas, turns] = await Promise.all([
    deps.store.listMemory('span', only, MAX_SPANS),
    deps.store.listMemory('idea', only, MAX_IDEAS),
    storedTurns(deps.store, session),
  ]);
  const requests = turns.flatMap(({ index, user, rewound }): Request[] => {
    const text = rewound === true ? '' : requestIn(user);
    return text === '' ? [] : [{ text, turn: index }];
  });
  return summarize(spans, await ideasNow(deps, ideas), requests);
}

/** What a prompt asks for. Answers in dialogs follow it, each below the question. */
function requestIn(user: string): string {
  const prompt = user.split('\n> ', 1)[0] ?? '';
  return tellingTitle(prompt) || titleOf(prompt);
}
