/**
 * How reliable each rule is: the share of its ideas that were right in hand-labelled sessions (docs/memory.md), rounded. Rules too
 * rare to measure are marked as estimated.
 */
export const CONFIDENCE = {
  /** Estimated: the transcript states that it is the answer to a choice. */
  choice: 0.95,
  asked: 0.9,
  planned: 0.95,
  planCause: 0.9,
  planProblem: 0.85,
  planStep: 0.88,
  listedStep: 0.88,
  commit: 0.95,
  /** Estimated. */
  pullRequest: 0.9,
  question: 0.88,
  request: 0.93,
  correction: 0.85,
  /** List items in a report under a heading that names their kind; `reported`: any other list items. */
  reportedUnderName: 0.95,
  reported: 0.75,
  reportedContext: 0.9,
  /** Todos and decisions under their heading in a report, by reading. */
  reportedTodo: 0.85,
  reportedDecision: 0.9,
  outcome: 0.74,
  answer: 0.75,
  /** Sentences whose wording shows their kind, by reading. */
  stated: 0.9,
  /** Such a sentence with a hedge. Estimated. */
  hedged: 0.5,
  summary: 0.85,
  marked: 0.9,
} as const;

/** Whether an idea was stated with a hedge: "maybe", "tentatively". */
export function isTentative({ confidence, origin }: { confidence: number; origin: string }): boolean {
  return origin === 'transcript' && confidence <= CONFIDENCE.hedged;
}
