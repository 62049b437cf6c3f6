import type { IdeaKind } from '../../../session/ideas.ts';
import { clip } from '../../../text/clip.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { announces, type Passage, passagesOf, plain } from '../../text/passages.ts';
import { isPassingCheck, isTelling, sentencesOf } from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';
import { kindOfLabel } from './labels.ts';
import { quoteIn, statedIn } from './stated.ts';

const MAX_STEPS = 14;
const MAX_OTHERS = 12;

/**
 * An approved plan: what it decides, why, and its steps. Whether a step is open, only the session shows that implements the plan.
 */
export function addPlan(state: MemoryState, text: string, at: Place): void {
  const passages = passagesOf(text);
  const steps = stepsOf(passages);
  const title = passages.find(({ form }) => form === 'heading');
  if (title !== undefined && isTelling(`${title.text} of it`)) {
    noteIdea(state, at, {
      kind: 'decision',
      content: `Plan: ${[title.text.replace(/^(?:Implementation )?Plan\s*[:—-]\s*/i, ''), ...stepNames(steps)].join('; ')}`,
      quote: title.raw,
      evidence: 'plan',
      confidence: CONFIDENCE.planned,
    });
  }
  let others = 0;
  for (const { raw, text: line, label, form } of passages) {
    const kind = form === 'heading' ? null : kindInPlan(label);
    if (kind === null || others >= MAX_OTHERS) continue;
    const [sentence = '', ...more] = sentencesOf(line);
    if (kind === 'context') others += addStated(state, more, raw, at);
    if (!isTelling(sentence) || sentence.endsWith(':')) continue;
    const content = sentence.length < 60 ? line.slice(0, 300) : sentence;
    const isBackground = kind === 'context';
    // Other background is worth nothing without the plan.
    if (isBackground && !LACKING.test(content)) continue;
    const isProblem = kind === 'problem' || isBackground;
    if (isProblem && NO_DEFECT.test(content)) continue;
    const idea = noteIdea(state, at, {
      kind: isProblem ? 'problem' : kind,
      content,
      quote: raw,
      evidence: 'plan',
      confidence: confidenceOf(isProblem ? 'problem' : kind),
      follows: isProblem,
    });
    if (idea === null) continue;
    others += 1;
    if (isProblem) state.turn.requests.push(idea);
  }
  addSteps(state, passages, steps, at);
}

/** Background mentions causes and decisions after its first sentence. */
function addStated(state: MemoryState, sentences: string[], raw: string, at: Place): number {
  const stated = sentences.flatMap((one) => statedIn(one, 'report') ?? []);
  const noted = stated.map((one) =>
    noteIdea(state, at, { ...one, quote: quoteIn(raw, one.content), evidence: 'plan' }),
  );
  return noted.filter((index) => index !== null).length;
}

/** The steps of a plan are its numbered headings, or else its numbered items. The text under a step is its detail. */
function addSteps(state: MemoryState, passages: Passage[], steps: Passage[], at: Place): void {
  for (const step of steps) {
    const name = step.raw.replace(NUMBERED, '');
    const under = (step.form === 'heading' ? detailsOf(passages, step) : '') || step.below;
    // What it announces is a table, or missing.
    if (under === '' && announces(step)) continue;
    const content = under === '' ? name : `${name.replace(/:\**$/, '')}: ${under}`;
    if (!isTask(plain(content))) continue;
    const idea = noteIdea(state, at, {
      kind: 'todo',
      content,
      quote: step.raw,
      evidence: 'plan',
      confidence: CONFIDENCE.planStep,
      follows: true,
    });
    if (idea !== null) state.turn.requests.push(idea);
  }
}

function stepsOf(passages: Passage[]): Passage[] {
  const headings = passages.filter((one) => one.form === 'heading' && NUMBERED.test(one.raw));
  const steps =
    headings.length > 1 ? headings : passages.filter((one) => one.form === 'bullet' && /^\d/.test(one.raw));
  return steps.slice(0, MAX_STEPS).filter(({ raw }) => {
    const name = plain(raw.replace(NUMBERED, ''));
    return !isPassingCheck(name) && !VERIFY.test(name);
  });
}

function stepNames(steps: Passage[]): string[] {
  return steps.slice(0, 5).map(({ raw }) => clip(plain(raw.replace(NUMBERED, '')), 90));
}

/** The first lines under a heading. */
function detailsOf(passages: Passage[], step: Passage): string {
  const from = passages.indexOf(step) + 1;
  const until = passages.findIndex(
    ({ form, depth }, at) => at >= from && form === 'heading' && depth <= step.depth,
  );
  const lines = passages.slice(from, until < 0 ? undefined : until);
  let details = '';
  for (const passage of lines.slice(0, 5)) {
    const line = detailOf(passage, LONGEST_DETAILS - details.length);
    if (details.length + line.length > LONGEST_DETAILS) break;
    const gap = details === '' ? '' : details.endsWith(':') ? ' ' : '; ';
    if (/\s/.test(line)) details += gap + line;
  }
  return details.replace(/:$/, '');
}

const LONGEST_DETAILS = 320;

/** A line with its bold label, which may be the verb, and with what it announces if there is room. */
function detailOf({ text, raw, label, form, below }: Passage, room: number): string {
  const line = form === 'prose' && raw.startsWith('**') && !PLACE.test(label) ? plain(raw) : text;
  if (below !== '' && line.length + below.length + 2 <= room) return `${line.replace(/:$/, '')}: ${below}`;
  return form === 'heading' ? `${line}:` : line.replace(below === '' ? /[.;]$/ : /:$/, '');
}

const PLACE = /^(?:files?|locations?|paths?|where)$/i;
const NUMBERED = /^(?:#{2,4}\s+)?(?:(?:Step|Change|Phase|Part|Fix|Task)\s*)?\d{1,2}[a-z]?\s*[.):—–-]+\s*/i;
/** Words that report a defect. */
const LACKING =
  /\b(?:currently|(?:has|have|is|are|with|but|there(?:'s)?) no|not|n't|can only|only (?:gets?|shows?|has|have|supports?)|never|lacks?|lacking|missing|empty|fails?|failing|wrong|broken|jumbled|too|cannot|can't|invisible|unused|hard to|confus\w+|misses|ignor\w+|inconsisten\w+|the (?:bug|issue|problem))\b|^no\b/i;
/** What a plan wants, finds in a line, or does itself. */
const NO_DEFECT =
  /^(?:(?:the )?goal\b|lines? \d|the (?:user|task|request|plan) (?:wants?|asks?|is)\b|this (?:plan|change|fix|filter\w*|applies)\b)|\balready (?:has|have|shows?|exists?|handles?|supports?)\b/i;

const VERIFY =
  /^[*`\s]*(?:run|verify|verification|test(?:ing)?|check|build|manual|open|start|navigate|confirm|bun|npm|click)\b/i;

function confidenceOf(kind: IdeaKind): number {
  if (kind === 'decision') return CONFIDENCE.planned;
  return kind === 'problem' ? CONFIDENCE.planProblem : CONFIDENCE.planCause;
}

function kindInPlan(label: string): IdeaKind | null {
  if (/^(?:context|background|why|motivation)\b/i.test(label)) return 'context';
  const kind = kindOfLabel(label);
  if (kind === 'conclusion') return /\b(?:causes?|why|diagnosis|findings?)\b/i.test(label) ? kind : null;
  return kind === 'todo' || kind === 'solution' ? null : kind;
}
