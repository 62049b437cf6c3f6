import type { LaterView, RecalledAnswer, RelationView } from '../../../domain/memory/memory-result.ts';
import { type Excerpt, shownExcerpt } from '../../../domain/memory/recall/excerpt.ts';
import { lastSpeaker, type SaidMessage } from '../../../domain/memory/recall/read-statements.ts';
import type { IdeaPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import { tellApart } from '../../../domain/session/tell-apart.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { locateSession } from '../../sessions/locate-session.ts';
import { toSessionCard } from '../../sessions/session-card.ts';
import { ideaView } from '../idea-view.ts';
import { nameSessions } from '../name-sessions.ts';
import type { RelatedIdeas } from '../related-ideas.ts';
import { forkAt } from '../show-ideas.ts';
import { type AnswerDependencies, type Answering, chunksIn } from './collect-quotations.ts';

/** An answer to show. */
export interface Chosen extends Answering {
  excerpt: Excerpt;
  later: LaterView | null;
}

/** The answers as they are shown: with session, turn, speaker, what was asked, and what became of it. */
export async function presentAnswers(
  deps: AnswerDependencies,
  chosen: Chosen[],
  related: RelatedIdeas,
): Promise<RecalledAnswer[]> {
  const ids = [...new Set(chosen.map(({ session_id }) => session_id))];
  const sessions = tellApart(await deps.store.getSessions(ids));
  const told = await Promise.all(
    chosen.map(async (one) => ({ ...one, by: await speakerOf(deps.store, one) })),
  );
  const answers = told.flatMap(
    ({ session_id, quotation, excerpt, idea, later, score, by }): RecalledAnswer[] => {
      const session = sessions.find((one) => one.session_id === session_id);
      if (session === undefined) return [];
      const { message, prompt, first } = quotation;
      const { turn, timestamp } = message;
      return [
        {
          session: toSessionCard(session, locateSession(deps, session)),
          turn,
          timestamp,
          by,
          text: shownExcerpt(excerpt),
          asked: message.isReply ? message.statements[first]?.label || null : openingOf(prompt),
          idea: idea === null ? null : ideaView(idea),
          relations: idea === null ? [] : relationsOf(idea, related, later),
          later,
          score: Math.round(score * 10_000) / 10_000,
          fork_command: forkAt(session_id, turn, deps.machine.shell),
        },
      ];
    },
  );
  const views = answers.flatMap(({ idea, relations }) => (idea === null ? [] : [{ idea, relations }]));
  const laters = answers.flatMap(({ later }) => later ?? []);
  await nameSessions(deps.store, views, new Map(sessions.map((one) => [one.session_id, one])), laters);
  return answers;
}

/** Passages that are read at once. */
const BEFORE = 16;

/** Who says a message that begins in a passage that was not read. */
async function speakerOf(store: PointStore, { session_id, quotation }: Chosen): Promise<SaidMessage['by']> {
  const { message } = quotation;
  for (let end = message.goesOnIn ?? 0; end > 0; end -= BEFORE) {
    const places = Array.from({ length: Math.min(end, BEFORE) }, (_, at) => end - 1 - at);
    const passages = chunksIn(await store.getPoints(places.map((at) => pointId(session_id, 'chunk', at))));
    const inOrder = passages.sort((a, b) => b.chunk_index - a.chunk_index);
    const speaker = inOrder.map(lastSpeaker).find((one) => one !== null);
    if (speaker !== undefined) return speaker ?? message.by;
  }
  return message.by;
}

/** What a prompt with a plan begins with. */
const ANNOUNCES = /^(?:please )?implement (?:the following|this) plan$/i;
const SHORT_OPENING = 25;

/** The first sentence of a prompt; further ones while they are short: "ok. no. the build …". */
function openingOf(prompt: SaidMessage | null): string | null {
  let opening = '';
  for (const { text } of prompt?.statements ?? []) {
    if (ANNOUNCES.test(text)) continue;
    if (opening.length >= SHORT_OPENING) break;
    opening = opening === '' ? text : `${opening} ${text}`;
  }
  return opening === '' ? null : opening;
}

const MAX_RELATIONS = 3;

/** What replaced an idea comes first; a later session that is named already is left out. */
function relationsOf(idea: IdeaPayload, related: RelatedIdeas, later: LaterView | null): RelationView[] {
  const isReplaced = ({ kind, reversed }: RelationView) => kind === 'supersedes' && reversed;
  const all = related
    .of(idea)
    .filter(({ kind, idea: { session_id } }) => kind !== 'builds_on' || session_id !== later?.session_id);
  return [...all.filter(isReplaced), ...all.filter((one) => !isReplaced(one))].slice(0, MAX_RELATIONS);
}
