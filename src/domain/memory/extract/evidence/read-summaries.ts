import type { IdeaKind } from '../../../session/ideas.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { isTicked, passagesOf } from '../../text/passages.ts';
import { isTelling, keyWords, overlap } from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';

const MAX_ITEMS = 14;

/** Reads, section by section, the summary that the agent wrote when its context was compacted. */
export function addSummary(state: MemoryState, summary: string, at: Place): void {
  const at0 = summary.indexOf('Summary:\n');
  let section = '';
  let count = 0;
  for (const raw of summary.slice(Math.max(0, at0)).split('\n', 500)) {
    const heading = /^(?:#{1,4}\s+)?\d{1,2}\.\s+(?:\*\*)?([A-Z][\w ,/&-]{3,60}?)(?:\*\*)?:/.exec(raw.trim());
    if (heading !== null) {
      section = heading[1] ?? '';
      continue;
    }
    const kind = kindOfSection(section);
    const [passage] = passagesOf(raw);
    if (kind === null || passage === undefined || !isTelling(passage.text) || count >= MAX_ITEMS) continue;
    if (passage.depth > 4 && kind !== 'todo') continue;
    // An idea that was noted when it was said is not noted again.
    const words = keyWords(passage.text);
    if (state.open.some((idea) => idea.kind === kind && overlap(keyWords(idea.content), words) > 0.7))
      continue;
    const isDone = NOTHING_LEFT.test(passage.text) || isTicked(passage);
    if (kind === 'solution' && FORMATTED.test(passage.text)) continue;
    if (kind === 'todo' && (isDone || !isTask(passage.text))) continue;
    const idea = noteIdea(state, at, {
      kind,
      content: passage.text.slice(0, 400),
      quote: passage.raw,
      evidence: 'summary',
      confidence: CONFIDENCE.summary,
      follows: kind === 'todo',
    });
    if (idea === null) continue;
    count += 1;
    // The agent goes on with it.
    if (kind === 'todo') state.turn.requests.push(idea);
  }
}

/** What a formatter does is no solution. */
const FORMATTED = /^(?:\w+ ){0,2}(?:lint\w*|biome|prettier|eslint|ruff) (?:\w+ ){0,2}format/i;

/** Includes what the agent itself adds for the next context. */
const NOTHING_LEFT =
  /\b(?:none|no pending|completed|all tasks)\b|^(?:please continue the conversation|if you need specific details)\b/i;

function kindOfSection(section: string): IdeaKind | null {
  if (/pending|next step|remaining/i.test(section)) return 'todo';
  if (/errors?|fixes/i.test(section)) return 'solution';
  if (/decision/i.test(section)) return 'decision';
  return null;
}
