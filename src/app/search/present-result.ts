import type { PointPayload, SessionPayload } from '../../domain/point/point.ts';
import { pointText } from '../../domain/point/point.ts';
import { type Evidence, strengthOf } from '../../domain/search/certainty.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { RankedSession } from '../../domain/search/ranking.ts';
import { makeSnippet } from '../../domain/search/snippet.ts';
import type { ScoreParts, SearchResult } from '../../domain/search-result.ts';
import { readMarks } from '../../domain/tags/marks.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type LocateDependencies, locateForCommands } from '../sessions/locate-session.ts';

/** A session ranked by either formula. */
export interface Presented {
  session_id: string;
  score: number;
  best: RankedSession['best'];
  scores: ScoreParts;
  /** See SearchResult. */
  found_by?: string;
  /** See LookedUp. */
  isMention?: boolean;
  /** Ids of the related sessions that are folded into it. */
  family?: string[];
}

interface PresentDependencies extends LocateDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

/** A search result: the session, why it matched, and the command that forks it. */
export async function presentResult(
  deps: PresentDependencies,
  ranked: Presented,
  session: SessionPayload,
  points: Map<string, PointPayload>,
  stems: Map<string, number>,
  place: { rank: number; certainty: number | null; snippetLength?: number },
): Promise<SearchResult> {
  const strength = place.certainty === null ? null : strengthOf(place.certainty);
  const location = await locateForCommands(deps, session);
  const matched = matchOf(ranked, points);
  const text = matched === null ? session.title : pointText(matched);
  const snippet = makeSnippet(text, stems, deps.tokenizer, place.snippetLength);
  return {
    rank: place.rank,
    found_by: ranked.found_by,
    family: ranked.family,
    score: Math.round(ranked.score * 10_000) / 10_000,
    recommended: place.rank === 1 && strength === 'strong',
    certainty: place.certainty === null ? null : Math.round(100 * place.certainty),
    strength,
    session_id: session.session_id,
    agent: session.agent,
    title: session.title,
    repo_name: session.repo_name,
    repo_key: session.repo_key,
    working_directory: session.working_directory,
    branch: session.branch,
    machine: session.machine,
    started_at: session.started_at,
    ended_at: session.ended_at,
    message_count: session.message_count,
    snippet: snippet.text,
    snippet_ranges: snippet.ranges,
    match: {
      type: matched?.type ?? 'session',
      index: matched?.chunk_index ?? 0,
      turn: matched?.type === 'chunk' && matched.subagent === undefined ? matched.turn : null,
      timestamp: matched?.timestamp ?? session.started_at,
      subagent: matched?.type === 'chunk' && matched.subagent !== undefined ? matched.subagent : undefined,
    },
    local: location.transcript !== null,
    restorable: location.restorable,
    gone: location.gone || undefined,
    jsonl_path: location.transcript?.path ?? null,
    can_fork: location.canFork,
    fork_command: location.command,
    markers: session.markers,
    outcome: session.outcome,
    ...readMarks(session.tags),
    parent_session_id: session.parent?.session_id ?? null,
    scores: {
      parts: Object.fromEntries(
        Object.entries(ranked.scores.parts).map(([part, value]) => [part, round(value)]),
      ),
      weights: ranked.scores.weights,
      phrasings: ranked.scores.phrasings ? ranked.scores.phrasings.map(round) : undefined,
      evidence: ranked.scores.evidence && roundEvidence(ranked.scores.evidence),
    },
  };
}

/** The matching passage: by keyword, else by meaning. */
function matchOf({ best }: Presented, points: Map<string, PointPayload>) {
  for (const hit of [best.chunkByWords, best.chunkByVector, best.intent]) {
    const payload = hit === null ? undefined : points.get(hit.point_id);
    if (payload?.type === 'chunk' || payload?.type === 'intent') return payload;
  }
  return null;
}

function roundEvidence({ gap, coverage, named, first, ...counts }: Evidence): Evidence {
  return {
    gap: round(gap),
    coverage: round(coverage),
    named: round(named),
    first: round(first),
    ...counts,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
