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
  planContext: 0.4,
  planStep: 0.88,
  listedStep: 0.88,
  commit: 0.95,
  /** Estimated. */
  pullRequest: 0.9,
  question: 0.88,
  request: 0.93,
  correction: 0.65,
  complaint: 0.65,
  failedRun: 0.88,
  failedRunAndEdits: 0.6,
  passedRun: 0.75,
  passedRunAfterEdits: 0.6,
  /** List items in a report under a heading that names their kind; `reported`: any other list items. */
  reportedUnderName: 0.95,
  reported: 0.7,
  reportedFix: 0.9,
  reportedContext: 0.9,
  reportedProblem: 0.5,
  /** Estimated. */
  reportedTodo: 0.6,
  reportedDecision: 0.6,
  outcome: 0.7,
  answer: 0.7,
  cause: 0.7,
  remark: 0.65,
  /** Estimated. */
  summary: 0.7,
  marked: 0.9,
} as const;
