import type {
  RecalledAnswer,
  RecallResponse,
  UnderstoodOfIdeas,
} from '../../../domain/memory/memory-result.ts';
import type { Wanted } from '../../../domain/memory/recall/rank-memory.ts';
import type { KindsRead } from '../../../domain/memory/recall/read-kinds.ts';
import type { Notice } from '../../../domain/search-result.ts';
import { tellApart } from '../../../domain/session/tell-apart.ts';
import { understoodAs } from '../../search/understand/apply-understanding.ts';
import { askRestricted } from '../../search/understand/ask-restricted.ts';
import type { Said } from '../../search/understand/understand-request.ts';
import { locateSession } from '../../sessions/locate-session.ts';
import { toSessionCard } from '../../sessions/session-card.ts';
import { assembleAnswer, type Ranked, turnOf } from './assemble-answer.ts';
import { embedOnce } from './embed-once.ts';
import { type Answer, matchQuestion, shareOf } from './match-question.ts';
import { newestIdeas } from './newest-ideas.ts';
import {
  memoryFilter,
  type Question,
  type QuestionDependencies,
  type RecallDependencies,
  type RecallRequest,
  understandQuestion,
  withOutcomes,
} from './understand-question.ts';

const LINES = 8;

/**
 * Answers a question with the sentences of past sessions that answer it, then with related ideas: decisions, findings, open points.
 * Matching topics and passages fill in where there is no idea.
 * @throws SmartForkError as searchSessions
 */
export async function recall(given: RecallDependencies, request: RecallRequest): Promise<RecallResponse> {
  const started = Date.now();
  const store = 'forOneSearch' in given.store ? given.store.forOneSearch() : given.store;
  const deps = { ...given, store, embedding: embedOnce(given.embedding) };
  const question = await understandQuestion(deps, request);
  const { said, wanted } = question;
  const ask = async (one: Said) => {
    const restricted = one === said ? said : await withOutcomes(store, one);
    const memory = memoryFilter(restricted, request);
    return answerQuestion(deps, { ...question, said: restricted, memory }, request.limit ?? LINES);
  };
  const {
    answer: found,
    isIgnored,
    notices: restriction,
  } = await askRestricted(store, said, wanted.now, ask, isEmpty);
  const lacksOpen = lacksWhatIsOpen(wanted, found) && restriction.length === 0;
  const { understood, ...ignored } = understoodAs(said.understood, isIgnored);
  return {
    query: question.query,
    understood: [
      ...understood,
      ...understoodKinds(question.kinds, said.text),
      ...question.entities.map(understoodEntity),
    ],
    ...ignored,
    mode: found.mode,
    fits: found.fits && !isEmpty(found) && !isIgnored && !lacksOpen,
    answers: found.answers,
    groups: found.groups,
    others: await otherSessions(deps, found),
    preferred: found.preferred,
    notices: [
      ...('notices' in given.store ? given.store.notices() : []),
      ...[...said.notices, ...restriction, ...found.notices],
      ...(lacksOpen ? [nothingOpen(question.kinds)] : []),
    ],
    took_ms: Date.now() - started,
  };
}

function lacksWhatIsOpen({ open, kinds }: Wanted, { groups }: Pick<RecallResponse, 'groups'>): boolean {
  const ideas = groups.flatMap(({ lines }) => lines.flatMap(({ idea }) => idea ?? []));
  return open === true && !ideas.some((idea) => idea.open === true && kinds?.includes(idea.kind) !== false);
}

function nothingOpen({ kinds }: KindsRead): Notice {
  const message = 'nothing open was found';
  return kinds?.includes('question')
    ? { code: 'NOTHING_OPEN', message, hint: 'smart-fork recall "answered questions"' }
    : { code: 'NOTHING_OPEN', message };
}

function isEmpty({ answers, groups }: Pick<RecallResponse, 'answers' | 'groups'>): boolean {
  return answers.length + groups.length === 0;
}

/** Sessions that search finds first are named even if nothing of them is shown. */
async function otherSessions(
  deps: QuestionDependencies,
  { answers, groups, sessions }: Answer & Pick<RecallResponse, 'groups'>,
): Promise<RecallResponse['others']> {
  const shown = new Set([...answers, ...groups].map(({ session }) => session.session_id));
  const ids = sessions.filter((id) => !shown.has(id));
  const stored = ids.length === 0 ? [] : tellApart(await deps.store.getSessions(ids));
  return ids.flatMap((id) =>
    stored
      .filter(({ session_id }) => session_id === id)
      .map((session) => toSessionCard(session, locateSession(deps, session))),
  );
}

async function answerQuestion(
  deps: QuestionDependencies,
  question: Question,
  limit: number,
): Promise<Answer & Pick<RecallResponse, 'groups'>> {
  const { words, kinds, said, wanted } = question;
  const answer =
    words.length === 0 && kinds.kinds !== null
      ? await newestIdeas(deps, question)
      : await matchQuestion(deps, question, limit);
  // Ideas are the agent's words, or made of the user's.
  const left = said.mine ? [] : answer.ranked.filter((one) => !isAnswered(one, answer.answers, wanted));
  const shown = new Set(answer.answers.flatMap(({ idea }) => idea?.id ?? []));
  const room = limit - answer.answers.length;
  const isBesides = answer.answers.length > 0 && wanted.kinds === null;
  // Lines near a doubtful answer help nobody.
  const most = isBesides ? Math.min(room, answer.fits ? shareOf(limit) : 0) : room;
  const options = { limit: most, stems: answer.stems, shown };
  return { ...answer, groups: await assembleAnswer(deps, left, answer.related, options) };
}

/** Whether a line would repeat an answer, or is an answered question, which nobody asked for. */
function isAnswered(line: Ranked, answers: RecalledAnswer[], { kinds, open }: Wanted): boolean {
  const { payload } = line;
  if (payload.type === 'idea' && payload.kind === 'question' && payload.is_open === false)
    if (open === null && kinds?.includes('question') !== true) return true;
  return answers.some(({ session, turn, text }) => {
    if (session.session_id !== payload.session_id || turn !== turnOf(line)) return false;
    return payload.type !== 'idea' || text.includes(payload.content) || payload.content.includes(text);
  });
}

function understoodKinds({ mention, kinds }: KindsRead, text: string): UnderstoodOfIdeas[] {
  if (mention === null || kinds === null) return [];
  const from = text.slice(mention.start, mention.end);
  return [{ kind: 'kind', value: kinds.join(','), from, text: mention.text }];
}

function understoodEntity(entity: string): UnderstoodOfIdeas {
  const [, name = ''] = /^concept:(.+)$/.exec(entity) ?? [];
  return {
    kind: 'entity',
    value: entity,
    from: null,
    text: name === '' ? entity.replace(':', ' ') : `about ${name}`,
  };
}
