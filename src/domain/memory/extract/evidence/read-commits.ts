import type { Commit } from '../../../session/session.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { isTelling, keyWords, overlap } from '../../text/sentences.ts';
import { urlEntity } from '../find-entities.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, noteIdea, touch } from '../note-idea.ts';

/** Whether an earlier one was undone is only known once the session went on. */
const MAX_COMMITS = 24;

/** A commit records what was delivered, and closes the steps of the plan whose words its subject has. */
export function addCommit(state: MemoryState, { hash, subject }: Commit, at: Place): void {
  if (hash !== '') state.turn.committed = at.line;
  if (!isDelivery(subject)) return;
  state.turn.worked = true;
  const idea = noteIdea(state, at, {
    kind: 'conclusion',
    content: `Committed: ${subject}`,
    quote: subject,
    evidence: 'commit',
    confidence: isTelling(subject) ? CONFIDENCE.commit : CONFIDENCE.outcome,
    entities: hash === '' ? [] : [`commit:${hash.slice(0, 7)}`],
  });
  const noted = state.changed.at(-1);
  if (idea !== null && noted?.index === idea)
    state.commits = [...state.commits.slice(-MAX_COMMITS + 1), { idea: noted, hash, subject }];
  const words = keyWords(subject);
  for (const { index, evidence, content } of [...state.open])
    if (evidence === 'plan' && overlap(keyWords(content), words) >= 0.5) closeIdea(state, index);
  const span = state.topics.path.at(-1);
  if (span !== undefined) span.outcome = `Committed: ${subject}`;
}

/** Takes back what was said of commits that the session undid, or only repeated. `kept`: the others, as its record has them. */
export function keepCommits(state: MemoryState, kept: Commit[]): void {
  for (const { idea, hash, subject } of state.commits) {
    const isKept = kept.some((one) => one.subject === subject || (hash !== '' && one.hash === hash));
    if (isKept === (idea.evidence === 'commit')) continue;
    idea.kind = isKept ? 'conclusion' : 'context';
    idea.evidence = isKept ? 'commit' : 'run';
    idea.content = `${isKept ? 'Committed' : NOT_KEPT}: ${subject}`;
    touch(state, idea);
  }
}

const NOT_KEPT = 'Not among the commits of the session at its end';

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
