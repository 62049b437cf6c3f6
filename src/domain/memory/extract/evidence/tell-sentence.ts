import type { IdeaKind } from '../../../session/ideas.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { sentencesOf } from '../../text/sentences.ts';

export interface Told {
  kind: IdeaKind;
  content: string;
  confidence: number;
}

/** Confidence in an idea from a report. */
export function confidenceOf(kind: IdeaKind): number {
  switch (kind) {
    case 'todo':
    case 'question':
      return CONFIDENCE.reportedTodo;
    case 'decision':
      return CONFIDENCE.reportedDecision;
    case 'problem':
      return CONFIDENCE.reportedProblem;
    case 'solution':
      return CONFIDENCE.reportedFix;
    case 'context':
      return CONFIDENCE.reportedContext;
    case 'conclusion':
      return CONFIDENCE.cause;
  }
}

/** Reads a sentence whose wording shows its kind. */
export function ofSentence(sentence: string): Told | null {
  if (sentence.endsWith('?') || sentence.endsWith(':')) return null;
  for (const [kind, pattern] of SENTENCES) {
    if (!pattern.test(sentence)) continue;
    if (kind === 'context' && (sentence.length < 50 || FAILING.test(sentence))) continue;
    const isGuess = kind === 'problem' && /\b(?:likely|probably|may|might|could)\b/i.test(sentence);
    const said = isGuess ? 'conclusion' : kind;
    return { kind: said, content: sentence, confidence: confidenceOf(said) };
  }
  return null;
}

const SENTENCES: [IdeaKind, RegExp][] = [
  [
    'conclusion',
    /\b(?:root cause|(?:the|this|that|real|actual|main) (?:reason|cause))\b[^.]{0,80}\b(?:is|was|are|were)\b|\bbecause of\b.{10,}|\b(?:turns? out|it appears) that\b/i,
  ],
  [
    'problem',
    /^(?:the|this|a|there(?:'|’)s an?|one) (?:\w+ ){0,3}?(?:problem|issue|bug|failure|blocker)s? (?:is|was|are|were|comes?|came)\b/i,
  ],
  [
    'solution',
    /^(?:the|this) (?:\w+ )?(?:fix|solution|workaround) (?:is|was)\b|^fixed\b.{10,}|^(?:i|this) (?:have )?(?:now )?fix(?:ed|es)\b/i,
  ],
  [
    'context',
    /\b(?:unrelated (?:to|changes|files)|not (?:related to|part of)|left (?:untouched|alone)|leave\w* .{0,40}(?:untouched|alone)|pre-existing)\b/i,
  ],
  ['decision', /^(?:decision|decided)\b\s*[:—-]|\b(?:i(?:'|’)ve|i have|we) decided\b/i],
  [
    'conclusion',
    /^(?:conclusion|finding|recommendation|bottom line|verdict)\s*[:—-]|^(?:i|my) recommend(?:ation)?\b|\bi(?:'|’)d recommend\b/i,
  ],
];

export const FAILING =
  /\b(?:fail(?:s|ed)|broken|reject(?:s|ed)|crash(?:es|ed)?|missing|404|stale|blocked|block(?:s|ing) (?:the|this|our|every|any))\b/i;

/** A line, or its first sentences if it is long. */
export function excerpt(text: string): string {
  if (text.length <= 280) return text;
  let excerpted = '';
  for (const sentence of sentencesOf(text)) {
    if (excerpted.length + sentence.length > 280) break;
    excerpted = `${excerpted} ${sentence}`.trim();
  }
  return excerpted || text.slice(0, 280);
}
