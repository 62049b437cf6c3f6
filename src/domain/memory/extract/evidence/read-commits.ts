import type { Commit } from '../../../session/session.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { isTelling, keyWords, overlap } from '../../text/sentences.ts';
import { urlEntity } from '../find-entities.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, noteIdea } from '../note-idea.ts';

/** A commit records what was delivered, and closes the steps of the plan whose words its subject has. */
export function addCommit(state: MemoryState, { hash, subject }: Commit, at: Place): void {
  if (hash !== '') state.turn.committed = at.line;
  if (!isDelivery(subject)) return;
  state.turn.worked = true;
  noteIdea(state, at, {
    kind: 'conclusion',
    content: `Committed: ${subject}`,
    quote: subject,
    evidence: 'commit',
    confidence: isTelling(subject) ? CONFIDENCE.commit : CONFIDENCE.outcome,
    entities: hash === '' ? [] : [`commit:${hash.slice(0, 7)}`],
  });
  const words = keyWords(subject);
  for (const { index, evidence, content } of [...state.open])
    if (evidence === 'plan' && overlap(keyWords(content), words) >= 0.5) closeIdea(state, index);
  const span = state.topics.path.at(-1);
  if (span !== undefined) span.outcome = `Committed: ${subject}`;
}

/** Whether a commit with this subject delivers something. */
export function isDelivery(subject: string): boolean {
  return !/^(?:merge|revert "|wip\b|fixup!|squash!|bump\b)/i.test(subject);
}

export function addPullRequest(state: MemoryState, url: string, title: string | null, at: Place): void {
  noteIdea(state, at, {
    kind: 'conclusion',
    content: title === null ? `Pull request ${url}` : `Pull request: ${title} (${url})`,
    quote: title ?? url,
    evidence: 'commit',
    confidence: CONFIDENCE.pullRequest,
    entities: [urlEntity(url)],
  });
}
