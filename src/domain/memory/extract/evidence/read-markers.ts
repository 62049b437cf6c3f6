import type { IdeaKind } from '../../../session/ideas.ts';
import { CONFIDENCE } from '../../confidence.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';

/** Lines that the agent marked for later sessions: a word in capitals, a colon, and the rest of the line. */
export function addMarked(state: MemoryState, text: string, at: Place): void {
  if (!/PATTERN|WORKING_SOLUTION|WAITING/.test(text)) return;
  for (const [line, marker = '', content = ''] of text.slice(0, LONGEST_TEXT).matchAll(MARKED)) {
    const kind = KINDS[marker];
    if (kind === undefined) continue;
    const isOpen = kind === 'todo' ? { isOpen: true } : {};
    noteIdea(state, at, {
      kind,
      content,
      quote: line,
      evidence: 'marker',
      confidence: CONFIDENCE.marked,
      ...isOpen,
    });
  }
}

const LONGEST_TEXT = 40_000;
const MARKED =
  /^[\s>*_#([`-]{0,8}(PATTERN|WORKING_SOLUTION|WAITING)[*`\])]{0,3}\s?:[*\s]{0,4}(\S[^\n]{3,600})/gm;
const KINDS: Record<string, IdeaKind> = {
  PATTERN: 'conclusion',
  WORKING_SOLUTION: 'solution',
  WAITING: 'todo',
};
