import type { IdeaKind } from '../../memory.ts';
import { type Passage, passagesOf } from '../../text/passages.ts';
import {
  isPassingCheck,
  isProcessTalk,
  isTelling,
  keyWords,
  overlap,
  sentencesOf,
} from '../../text/sentences.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { closeIdea, noteIdea } from '../note-idea.ts';
import { kindOfLabel } from './labels.ts';

const MOST_IN_TEXT = 10;

interface Report {
  text: string;
  /** Whether it ends the agent's turn; undefined if the transcript does not say. */
  closes?: boolean | undefined;
}

/** What the agent says: its report when it has finished, and the causes and findings it names on the way. */
export function addReport(state: MemoryState, { text, closes }: Report, at: Place): void {
  const passages = passagesOf(text);
  const isReport = closes ?? looksFinal(text, passages);
  let left = MOST_IN_TEXT;
  for (const passage of passages) {
    if (left === 0) break;
    const found = isReport ? inReport(passage) : onTheWay(passage);
    if (found !== null && addFound(state, found, passage, at)) left -= 1;
  }
  if (!isReport) return;
  addAnswer(state, passages, at);
  closeWhatIsDone(state, text);
}

interface Found {
  kind: IdeaKind;
  content: string;
  confidence: number;
}

function addFound(
  state: MemoryState,
  { kind, content, confidence }: Found,
  { raw }: Passage,
  at: Place,
): boolean {
  const opens = kind === 'todo' || kind === 'question' || kind === 'problem';
  const idea = noteIdea(state, at, {
    kind,
    content,
    quote: raw,
    evidence: 'report',
    confidence,
    ...(opens && { isOpen: kind !== 'problem' }),
  });
  return idea !== null;
}

/** A line of a report. */
function inReport({ text, label, form }: Passage): Found | null {
  if (form === 'heading' || text.endsWith(':')) return null;
  const [first = ''] = sentencesOf(text);
  if (!isTelling(first) || isPassingCheck(first) || isProcessTalk(first) || OFFER.test(first)) return null;
  const named = kindOfLabel(label);
  if (named !== null && named !== 'question') {
    const kind = DONE_FIX.test(first) && named === 'conclusion' ? 'solution' : named;
    return { kind, content: excerpt(text), confidence: 0.8 };
  }
  const said = ofSentence(first);
  if (said !== null) return said;
  if (form === 'bullet' || looksLikeFile(label))
    return { kind: 'conclusion', content: excerpt(text), confidence: 0.6 };
  return null;
}

/** A line of what the agent says while it works: only what it found. */
function onTheWay({ text, form }: Passage): Found | null {
  if (form === 'heading') return null;
  for (const sentence of sentencesOf(text)) {
    if (!isTelling(sentence) || isProcessTalk(sentence) || isPassingCheck(sentence)) continue;
    const said = ofSentence(sentence);
    if (said !== null) return said;
  }
  return null;
}

/** A sentence that says itself what it is. */
function ofSentence(sentence: string): Found | null {
  if (sentence.endsWith('?') || sentence.endsWith(':')) return null;
  for (const [kind, confidence, pattern] of SENTENCES) {
    if (pattern.test(sentence)) return { kind, content: sentence, confidence };
  }
  return null;
}

const SENTENCES: [IdeaKind, number, RegExp][] = [
  [
    'conclusion',
    0.85,
    /\b(?:root cause|(?:the|this|that|real|actual|main) (?:reason|cause))\b[^.]{0,80}\b(?:is|was|are|were)\b|\bbecause of\b.{10,}|\b(?:turns? out|it appears) that\b/i,
  ],
  [
    'problem',
    0.8,
    /^(?:the|this|a|there(?:'|’)s an?|one) (?:\w+ ){0,3}?(?:problem|issue|bug|failure|blocker)s? (?:is|was|are|were|comes?|came)\b/i,
  ],
  [
    'solution',
    0.8,
    /^(?:the|this) (?:\w+ )?(?:fix|solution|workaround) (?:is|was)\b|^fixed\b.{10,}|^(?:i|this) (?:have )?(?:now )?fix(?:ed|es)\b/i,
  ],
  ['decision', 0.7, /^(?:decision|decided)\b\s*[:—-]|\b(?:i(?:'|’)ve|i have|we) decided\b/i],
  [
    'conclusion',
    0.75,
    /^(?:conclusion|finding|recommendation|bottom line|verdict)\s*[:—-]|^(?:i|my) recommend(?:ation)?\b|\bi(?:'|’)d recommend\b/i,
  ],
];

const DONE_FIX = /^(?:fixed|resolved|repaired|corrected|solved)\b/i;
const OFFER =
  /^(?:would you like|want me|do you want|should i|shall i|let me know|if you(?:'|’)d? (?:want|like)|feel free|ready (?:to|for)|you can (?:now )?|happy to|what would you|any (?:other )?questions)\b/i;

function looksLikeFile(label: string): boolean {
  return /^`?[\w@./-]{2,80}\.\w{1,5}`?(?: \(.{1,40}\))?$/.test(label);
}

/** Older versions do not mark the end of a turn. Reports have lists, or say that all is done. */
function looksFinal(text: string, passages: Passage[]): boolean {
  if (/:\s*$/.test(text)) return false;
  const bullets = passages.filter(({ form }) => form === 'bullet').length;
  const start = text.slice(0, 200);
  return bullets >= 2 || (FINAL.test(start) && !isProcessTalk(start));
}

const FINAL =
  /^(?:all (?:\d+ )?(?:\w+ )?(?:done|clean|pass|green|tests?|changes?|good|set)|done\b|committed\b|pushed\b|here(?:'|’)?s (?:a|the) summary|summary\b|.{0,60}\b(?:is|are) (?:now )?(?:complete|done|fixed|implemented|in place))/i;

/** The first sentence of a report answers the question that the user asked. */
function addAnswer(state: MemoryState, passages: Passage[], at: Place): void {
  const question = state.turn.questions.at(-1);
  const first = passages.find(
    ({ form, text }) => form === 'prose' && isTelling(text) && !isProcessTalk(text),
  );
  state.turn.answered = true;
  if (question === undefined || first === undefined) return;
  const sentences = sentencesOf(first.text);
  const short = (sentences[0]?.length ?? 0) < 60;
  noteIdea(state, at, {
    kind: 'conclusion',
    content: sentences.slice(0, short ? 2 : 1).join(' ') || excerpt(first.text),
    quote: first.raw,
    evidence: 'report',
    confidence: 0.75,
    relations: [{ kind: 'answers', to: question, confidence: 0.7 }],
  });
  for (const index of state.turn.questions) closeIdea(state, index);
  state.turn.questions = [];
}

/** A report names what was done: steps and requests whose words it repeats are done. */
function closeWhatIsDone(state: MemoryState, text: string): void {
  const said = keyWords(text);
  for (const idea of [...state.open]) {
    if (idea.evidence === 'todo-list' || idea.kind === 'question' || idea.turn > state.turn.number) continue;
    if (idea.evidence === 'report') continue;
    if (overlap(keyWords(idea.content), said) >= 0.5) closeIdea(state, idea.index);
  }
}

/** A line, or its first sentences if it is long. */
function excerpt(text: string): string {
  if (text.length <= 280) return text;
  let excerpted = '';
  for (const sentence of sentencesOf(text)) {
    if (excerpted.length + sentence.length > 280) break;
    excerpted = `${excerpted} ${sentence}`.trim();
  }
  return excerpted || text.slice(0, 280);
}
