import type { RecalledGroup, RecalledLine, RelationView } from '../../../domain/memory/memory-result.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import { makeSnippet } from '../../../domain/search/snippet.ts';
import { tellApart } from '../../../domain/session/tell-apart.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { type LocateDependencies, locateSession } from '../../sessions/locate-session.ts';
import { toSessionCard } from '../../sessions/session-card.ts';
import { ideaId, ideaView } from '../idea-view.ts';
import { nameSessions } from '../name-sessions.ts';
import type { RelatedIdeas } from '../related-ideas.ts';
import { forkAt } from '../show-ideas.ts';
import type { Found } from './collect-candidates.ts';

export type Ranked = Found & { score: number };

interface AssembleDependencies extends LocateDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

/** Maximum number of relations per line. */
const MAX_RELATIONS = 3;

/** The best lines without repetitions, grouped by session and topic in the order of their best line. */
export async function assembleAnswer(
  deps: AssembleDependencies,
  ranked: Ranked[],
  related: RelatedIdeas,
  { limit, stems, shown }: { limit: number; stems: Map<string, number>; shown: Set<string> },
): Promise<RecalledGroup[]> {
  const chosen = withReplacements(ranked, related, limit, shown);
  const ids = [...new Set(chosen.map(({ payload }) => payload.session_id))];
  const sessions = new Map(tellApart(await deps.store.getSessions(ids)).map((one) => [one.session_id, one]));
  const names = await topicNames(deps.store, chosen);
  const groups = new Map<string, RecalledGroup>();
  for (const one of chosen) {
    const session = sessions.get(one.payload.session_id);
    if (session === undefined) continue;
    const span = spanOf(one);
    const key = `${session.session_id} ${span ?? ''}`;
    const topic = span === null ? null : (names.get(pointId(session.session_id, 'span', span)) ?? null);
    const group = groups.get(key) ?? { session: cardOf(deps, session), topic, lines: [] };
    groups.set(key, group);
    group.lines.push(lineOf(deps, one, session, related, stems));
  }
  const lines = [...groups.values()].flatMap((group) => group.lines);
  const views = lines.flatMap(({ idea, relations }) => (idea === null ? [] : [{ idea, relations }]));
  await nameSessions(deps.store, views, sessions);
  return [...groups.values()];
}

/** The first lines, without ideas that are shown above. A replaced idea is shown as a relation of its replacement, which takes its place. */
function withReplacements(
  ranked: Ranked[],
  related: RelatedIdeas,
  limit: number,
  shown: Set<string>,
): Ranked[] {
  const chosen: Ranked[] = [];
  const taken = new Set(shown);
  const turns = new Set<string>();
  for (const one of ranked) {
    if (chosen.length === limit) break;
    const newer = one.payload.type === 'idea' ? related.replacementOf(one.payload) : null;
    const line = newer === null ? one : { ...one, payload: newer };
    const id = newer === null ? one.candidate.id : ideaId(newer);
    const turn = `${one.payload.session_id} ${turnOf(one)}`;
    // A passage adds nothing to an idea of the same turn, nor a topic to its ideas.
    if (taken.has(id) || (one.payload.type !== 'idea' && turns.has(turn))) continue;
    if (chosen.some((other) => saysTheSame(other, line))) continue;
    taken.add(id);
    turns.add(turn);
    chosen.push(line);
  }
  return chosen;
}

/** Whether one of two ideas of a turn begins with the other: a commit's subject, and its whole message. */
function saysTheSame({ payload: one }: Found, { payload: other }: Found): boolean {
  if (one.type !== 'idea' || other.type !== 'idea') return false;
  if (one.session_id !== other.session_id || one.turn !== other.turn || one.kind !== other.kind) return false;
  return one.content.startsWith(other.content) || other.content.startsWith(one.content);
}

export function turnOf({ payload, best }: Found): number | null {
  if (payload.type === 'span') return payload.first_turn;
  if (payload.type === 'chunk') return payload.subagent === undefined ? (best?.turn ?? payload.turn) : null;
  return payload.turn;
}

function spanOf({ payload }: Found): number | null {
  if (payload.type === 'idea') return payload.span;
  return payload.type === 'span' ? payload.chunk_index : null;
}

async function topicNames(store: PointStore, chosen: Ranked[]): Promise<Map<string, string>> {
  const ids = chosen.flatMap((one) => {
    const span = spanOf(one);
    return span === null ? [] : [pointId(one.payload.session_id, 'span', span)];
  });
  const points = ids.length === 0 ? [] : await store.getPoints([...new Set(ids)]);
  return new Map(points.flatMap(({ id, payload }) => (payload.type === 'span' ? [[id, payload.name]] : [])));
}

function cardOf(deps: AssembleDependencies, session: SessionPayload): RecalledGroup['session'] {
  return toSessionCard(session, locateSession(deps, session));
}

function lineOf(
  { machine, tokenizer }: AssembleDependencies,
  one: Ranked,
  session: SessionPayload,
  related: RelatedIdeas,
  stems: Map<string, number>,
): RecalledLine {
  const { payload, score, best } = one;
  const turn = turnOf(one);
  const fork_command = forkAt(session.session_id, turn, machine.shell);
  const common = {
    score: Math.round(score * 10_000) / 10_000,
    turn,
    timestamp: payload.timestamp,
    fork_command,
  };
  const none = { idea: null, relations: [] };
  if (payload.type === 'chunk')
    return {
      type: 'passage',
      ...common,
      text: makeSnippet(best?.text ?? payload.content, stems, tokenizer).text,
      ...none,
    };
  if (payload.type === 'span')
    return { type: 'topic', ...common, text: topicText(payload.name, payload.summary), ...none };
  const relations: RelationView[] = related.of(payload).slice(0, MAX_RELATIONS);
  return {
    type: 'idea',
    ...common,
    text: payload.content,
    idea: ideaView(payload),
    relations,
  };
}

function topicText(name: string, summary: string): string {
  return summary === '' ? name : `${name}: ${summary}`;
}
