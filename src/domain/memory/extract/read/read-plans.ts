import type { IdeaKind } from '../../memory.ts';
import { passagesOf } from '../../text/passages.ts';
import { isPassingCheck, isTelling, sentencesOf } from '../../text/sentences.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';
import { kindOfLabel } from './labels.ts';

const MOST_STEPS = 14;
const MOST_OTHERS = 12;

/**
 * A plan that the user approved: what it decides, why, and its steps. `quoted`: the text holds more than the plan, so that the
 * plan's line is where it stands.
 */
export function addPlan(state: MemoryState, text: string, at: Place): void {
  const passages = passagesOf(text);
  const title = passages.find(({ form }) => form === 'heading');
  if (title !== undefined && isTelling(`${title.text} of it`)) {
    noteIdea(state, at, {
      kind: 'decision',
      content: title.text.replace(/^Plan\s*[:—-]\s*/i, 'Plan: '),
      quote: title.raw,
      evidence: 'plan',
      confidence: 0.85,
    });
  }
  let others = 0;
  for (const { raw, text: line, label, form } of passages) {
    const kind = form === 'heading' ? null : kindInPlan(label);
    if (kind === null || others >= MOST_OTHERS) continue;
    const sentence = sentencesOf(line)[0] ?? '';
    if (!isTelling(sentence) || sentence.endsWith(':')) continue;
    const content = sentence.length < 60 ? line.slice(0, 300) : sentence;
    const isOpen = kind === 'problem' ? { isOpen: true } : {};
    const idea = noteIdea(state, at, {
      kind,
      content,
      quote: raw,
      evidence: 'plan',
      confidence: 0.7,
      ...isOpen,
    });
    if (idea === null) continue;
    others += 1;
    if (kind === 'problem') state.turn.requests.push(idea);
  }
  addSteps(state, text, at);
}

/** The steps of a plan are its numbered headings, or else the numbered items under a heading for steps. */
function addSteps(state: MemoryState, text: string, at: Place): void {
  const headings = text.matchAll(
    /^#{2,4}\s+(?:(?:Step|Change|Phase|Part|Fix|Task)\s*)?\d{1,2}[a-z]?\s*[.):—–-]+\s*(\S[^\n]{3,300})$/gim,
  );
  const steps = [...headings].map(([raw, step]) => ({ raw, step: step ?? '' }));
  const numbered =
    steps.length > 1
      ? steps
      : [...text.matchAll(/^\d{1,2}[.)]\s+(\S[^\n]{3,400})$/gm)].map(([raw, step]) => ({
          raw,
          step: step ?? '',
        }));
  for (const { raw, step } of numbered.slice(0, MOST_STEPS)) {
    if (isPassingCheck(step) || VERIFY.test(step)) continue;
    const idea = noteIdea(state, at, {
      kind: 'todo',
      content: step,
      quote: raw,
      evidence: 'plan',
      confidence: 0.8,
      isOpen: true,
    });
    if (idea !== null) state.turn.requests.push(idea);
  }
}

const VERIFY =
  /^[*`\s]*(?:run|verify|verification|test(?:ing)?|check|build|manual|open|start|navigate|confirm|bun|npm|click)\b/i;

function kindInPlan(label: string): IdeaKind | null {
  if (/^(?:context|background|why|motivation)\b/i.test(label)) return 'context';
  const kind = kindOfLabel(label);
  return kind === 'todo' || kind === 'solution' ? null : kind;
}
