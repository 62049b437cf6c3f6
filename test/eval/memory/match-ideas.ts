import type { Idea } from '../../../src/domain/session/ideas.ts';
import type { LabelledIdea, LabelledSession } from './memory-sets.ts';

/** The parts of an idea that are compared. */
export type FoundIdea = Pick<
  Idea,
  'kind' | 'content' | 'quote' | 'turn' | 'line' | 'evidence' | 'confidence' | 'origin'
>;

export interface JudgedIdea {
  idea: FoundIdea;
  /** The labelled idea that it states; null if none. */
  label: LabelledIdea | null;
  /** Whether it states a labelled idea of a different kind. */
  ofOtherKind: boolean;
}

export interface Judgement {
  /** The ideas found in the labelled stretch. */
  judged: JudgedIdea[];
  /** The labelled ideas, and whether one of these ideas states them. */
  labels: { label: LabelledIdea; found: boolean }[];
}

/** Compares ideas found in a session with those found by a person. Several ideas may state the same label. */
export function judgeIdeas({ turns, ideas: labels }: LabelledSession, found: FoundIdea[]): Judgement {
  const inside = found.filter(({ turn }) => turn >= turns[0] && turn <= turns[1]);
  const judged = inside.map((idea): JudgedIdea => {
    const stated = labels.filter((label) => states(idea, label));
    const label = bestOf(
      idea,
      stated.filter(({ kind, also }) => kind === idea.kind || also.includes(idea.kind)),
    );
    return { idea, label, ofOtherKind: label === null && stated.length > 0 };
  });
  const seen = new Set(judged.map(({ label }) => label));
  return { judged, labels: labels.map((label) => ({ label, found: seen.has(label) })) };
}

/** A message is often several transcript lines away from the call that it refers to. */
const NEAR = 3;

/** Half of the label's words near the labelled line, two thirds elsewhere in its turn. */
function states(idea: FoundIdea, label: LabelledIdea): boolean {
  const near = label.lines.some((line) => Math.abs(line - idea.line) <= NEAR);
  if (!near && idea.turn !== label.turn) return false;
  return shareOfTerms(idea, label) >= (near ? 1 / 2 : 2 / 3);
}

function bestOf(idea: FoundIdea, labels: LabelledIdea[]): LabelledIdea | null {
  const scored = labels.map((label) => ({ label, share: shareOfTerms(idea, label) }));
  return scored.sort((a, b) => b.share - a.share)[0]?.label ?? null;
}

function shareOfTerms({ content, quote }: FoundIdea, { terms }: LabelledIdea): number {
  const text = `${content}\n${quote}`.toLowerCase();
  return terms.filter((term) => text.includes(stem(term.toLowerCase()))).length / terms.length;
}

/** `removes` and `removed` are in "remove". */
function stem(term: string): string {
  return /^[a-z]{5,}$/.test(term) ? term.replace(/(?:ing|ed|es|s|e)$/, '') : term;
}
