import type { ConversationMessage } from '../../ports/agent/conversation.ts';
import type { ThreadImports, TranscriptFile } from '../../ports/transcript-source.ts';
import { borrowTranscript } from '../archive/borrow-transcript.ts';
import { sourceOf } from '../archive/restore-session.ts';
import { type RetrievedContext, retrieveSession } from '../read/retrieve-session.ts';
import { readConversation } from '../sessions/conversation/read-messages.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';

/** Whether an agent can be given a conversation. */
export function canReceive(
  deps: Pick<ForkDependencies, 'sources' | 'threads'>,
  agent: ForkRequest['agent'],
): boolean {
  return sourceOf(deps.sources, agent).create !== undefined || deps.threads[agent]?.create !== undefined;
}

export function whyNotImport(
  { machine }: Pick<ForkDependencies, 'machine'>,
  { session, location }: Pick<ForkRequest, 'session' | 'location'>,
  imports: ThreadImports,
): string | null {
  const { working_directory: folder } = session;
  if (location.transcript === null) return 'its transcript is not on this machine';
  if (!machine.directoryExists(folder)) return `its folder is not on this machine (${folder || 'unknown'})`;
  return imports.whyNot(location.transcript);
}

/** A part of a session to pass on. */
type Part = Pick<ForkRequest, 'session' | 'location' | 'turn'>;

/** A session's messages for another agent; null if there is no transcript to read them from. */
export async function readForOther(
  deps: ForkDependencies,
  { session, location: { transcript }, turn }: Part,
): Promise<ConversationMessage[] | null> {
  const source = sourceOf(deps.sources, session.agent);
  const untilTurn = turn ?? Number.POSITIVE_INFINITY;
  const read = (file: TranscriptFile, parents: TranscriptFile[] = []) =>
    readConversation(source, file.path, deps.redactor, { parents, untilTurn });
  return transcript === null ? borrowTranscript(deps, source, session, read) : read(transcript);
}

/** A session's context for a file that the first prompt names. */
export function readAsText(
  deps: ForkDependencies,
  { session, location, turn, query }: Part & Pick<ForkRequest, 'query'>,
): Promise<RetrievedContext> {
  return retrieveSession(deps, {
    session,
    location,
    maxTokens: CONTEXT_TOKENS,
    untilTurn: turn ?? undefined,
    query: query ?? undefined,
  });
}

const CONTEXT_TOKENS = 8000;
