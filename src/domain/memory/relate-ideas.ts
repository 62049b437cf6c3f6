import type { IdeaPayload } from '../point/point.ts';
import { pointId } from '../point/point-id.ts';
import type { RelationKind } from '../session/ideas.ts';
import { closedIn, namesOnly } from './text/closed-names.ts';
import { type IdeaIndex, type IndexedIdea, indexIdeas, questionOf, SAME_SHARE } from './text/index-ideas.ts';
import { saysLeft } from './text/left.ts';
import { keyWords } from './text/sentences.ts';
import { switchedFrom } from './text/switched-from.ts';

/** From a later idea to an earlier one in another session, by point id. */
interface Relation {
  kind: RelationKind;
  from: string;
  to: string;
  /** 0 to 1. */
  confidence: number;
}

/** Maximum number of relations per idea; the surest ones are kept. */
const MAX_PER_IDEA = 6;

/**
 * The relations between ideas of different sessions that their words and entities show. They lead from the later idea to the earlier
 * one, so they form no cycle. Ideas are never merged: "never" and "always" contradict each other. What a model noted closes and replaces
 * nothing.
 */
export function relateIdeas(ideas: IdeaPayload[]): Relation[] {
  const index = indexIdeas(ideas.filter(({ origin }) => origin !== 'model'));
  const left = index.ideas.filter(
    ({ idea }) => idea.is_open === true && (idea.kind === 'todo' || idea.kind === 'problem'),
  );
  return index.ideas.flatMap((later) => {
    const similar = index.similarTo(later).flatMap(({ earlier, share }) => {
      const relation = isOfSameRepository(earlier, later) ? relationOf(later, earlier, share) : null;
      return relation === null ? [] : [{ ...relation, earlier }];
    });
    const found = [...similar, ...decidedOn(later, index), ...closedBy(later, left)]
      .sort((one, other) => other.confidence - one.confidence)
      .slice(0, MAX_PER_IDEA);
    return found.map(({ kind, confidence, earlier }) => ({
      kind,
      confidence,
      from: idOf(later.idea),
      to: idOf(earlier.idea),
    }));
  });
}

const WEEK_MS = 7 * 86_400_000;

/** What a decision settles without sharing words with it: what it gave up by name, or the choice that was open when it was made. */
function decidedOn(
  later: IndexedIdea,
  { ideas }: IdeaIndex,
): (NonNullable<Found> & { earlier: IndexedIdea })[] {
  if (later.idea.kind !== 'decision') return [];
  const given = switchedFrom(later.idea.content);
  const before = () => ideas.slice(0, ideas.indexOf(later)).filter((one) => isInOtherSession(one, later));
  if (given !== null) {
    const words = [...keyWords(given)];
    const earlier = before().findLast(
      (one) => one.idea.kind === 'decision' && words.every((word) => one.words.includes(word)),
    );
    return earlier === undefined || words.length === 0
      ? []
      : [{ kind: 'supersedes', confidence: 0.8, earlier }];
  }
  if (!CHOOSES.test(later.idea.content)) return [];
  const asked = before().findLast(({ idea }) => idea.kind === 'question' && CHOICE.test(idea.content));
  const isRecent = asked !== undefined && timeOf(later) - timeOf(asked) <= WEEK_MS;
  return isRecent && asked.idea.is_open === true
    ? [{ kind: 'answers', confidence: 0.6, earlier: asked }]
    : [];
}

/** Which database should the gateway use? */
const CHOICE =
  /^(?:which|what)\b.*\b(?:use|choose|pick|take|go with)\b|\bshould (?:we|it|the .{1,40}) use\b/i;
/** We decided to use SQLite. */
const CHOOSES =
  /\b(?:decided|agreed|chose|opted|settled|go(?:ing)?|we(?:(?:'|’)ll| will))\b.{0,20}? (?:to use|to go with|on|for|with|use)\b/i;

/** What was left open, and is closed by its name. */
function closedBy(
  later: IndexedIdea,
  left: IndexedIdea[],
): (NonNullable<Found> & { earlier: IndexedIdea })[] {
  if (left.length === 0) return [];
  const closed = closedIn(later.idea.content);
  return left
    .filter(
      (one) =>
        namesOnly(one.idea.content, closed) && isInOtherSession(one, later) && timeOf(one) < timeOf(later),
    )
    .map((earlier) => ({ kind: 'answers', confidence: 0.8, earlier }));
}

function isOfSameRepository({ idea: one }: IndexedIdea, { idea: other }: IndexedIdea): boolean {
  return one.repo_id === other.repo_id || (one.repo_key !== null && one.repo_key === other.repo_key);
}

function isInOtherSession(one: IndexedIdea, other: IndexedIdea): boolean {
  return one.idea.session_id !== other.idea.session_id && isOfSameRepository(one, other);
}

function timeOf({ idea }: IndexedIdea): number {
  return Date.parse(idea.timestamp ?? '') || 0;
}

type Found = Pick<Relation, 'kind' | 'confidence'> | null;

function relationOf(later: IndexedIdea, earlier: IndexedIdea, share: number): Found {
  const [kind, before] = [later.idea.kind, earlier.idea.kind];
  if (before === 'question') return answerTo(later, earlier, share);
  if (before === 'todo') return endOf(later, earlier, share);
  if (before === 'problem' && kind === 'solution' && share >= 0.6)
    return { kind: 'answers', confidence: 0.6 };
  if (before === 'decision' && kind === 'decision') return betweenDecisions(later, earlier, share);
  if (kind === before && share >= 0.9) return { kind: 'relates_to', confidence: 0.6 };
  const builds = (before === 'decision' || before === 'conclusion') && share >= 0.55;
  return builds && kind !== 'question' && kind !== 'todo' ? { kind: 'builds_on', confidence: 0.5 } : null;
}

const ANSWERS = new Set(['decision', 'conclusion', 'solution']);

function answerTo({ idea }: IndexedIdea, { idea: question }: IndexedIdea, share: number): Found {
  if (ANSWERS.has(idea.kind) && question.is_open === true && share >= 0.6)
    return { kind: 'answers', confidence: Math.min(0.8, share) };
  return idea.kind === 'question' && share >= 0.8 ? { kind: 'relates_to', confidence: 0.6 } : null;
}

/**
 * An open todo ends with later work on it, or with the same todo completed. Work on something similar says most of its words, but not
 * those that tell the two apart.
 */
function endOf({ idea }: IndexedIdea, { idea: todo }: IndexedIdea, share: number): Found {
  if (todo.is_open !== true || share < SAME_SHARE) return null;
  if (idea.kind === 'todo')
    return idea.is_open === true
      ? { kind: 'relates_to', confidence: 0.7 }
      : { kind: 'answers', confidence: 0.75 };
  if (REVERT.test(idea.content)) return null;
  const isWork = idea.evidence === 'commit' || (idea.evidence !== 'prompt' && !saysLeft(idea.content));
  return isWork && ANSWERS.has(idea.kind) ? { kind: 'answers', confidence: 0.75 } : null;
}

/** The subject of a commit that takes another one back. */
const REVERT = /^(?:Committed: )?Revert "/;

function betweenDecisions(later: IndexedIdea, earlier: IndexedIdea, share: number): Found {
  const question = questionOf(later.idea);
  if (question !== '' && question === questionOf(earlier.idea)) {
    const isSame = later.idea.quote === earlier.idea.quote;
    return isSame ? { kind: 'relates_to', confidence: 0.7 } : { kind: 'supersedes', confidence: 0.9 };
  }
  if (share >= 0.45 && REPLACES.test(later.idea.content)) return { kind: 'supersedes', confidence: 0.65 };
  if (share >= 0.7 && isNegative(later) !== isNegative(earlier))
    return { kind: 'contradicts', confidence: 0.7 };
  return share >= 0.55 ? { kind: 'builds_on', confidence: 0.5 } : null;
}

const REPLACES =
  /\b(?:instead(?: of)?|rather than|no longer|replaces?|replacing|drop|switch(?:ed)? (?:from|to)|revert|undo|not .{1,40} any ?more)\b/i;
const NEGATIVE =
  /\b(?:never|not|don(?:'|’)?t|do not|avoid|without|mustn(?:'|’)?t|shouldn(?:'|’)?t|isn(?:'|’)?t|no longer|forbid\w*|disable[ds]?)\b/i;

function isNegative({ idea }: IndexedIdea): boolean {
  return NEGATIVE.test(idea.content.replace(/\([^()]*\)/g, ''));
}

function idOf({ session_id, chunk_index }: IdeaPayload): string {
  return pointId(session_id, 'idea', chunk_index);
}
