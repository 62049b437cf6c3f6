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
/** Items of a list are kept together up to here: each alone is a detail. */
const LONGEST_GROUP = 420;

interface Report {
  text: string;
  /** Whether it ends the agent's turn; undefined if the transcript does not say. */
  closes?: boolean | undefined;
}

/** What the agent says: its report when it has finished, and the causes and findings it names on the way. */
export function addReport(state: MemoryState, { text, closes }: Report, at: Place): void {
  const passages = passagesOf(text);
  const isReport = closes ?? looksFinal(text, passages);
  const found = isReport ? inReport(passages) : passages.flatMap(onTheWay);
  if (isReport) addAnswer(state, passages, at);
  let left = MOST_IN_TEXT;
  for (const one of found) if (left > 0 && addFound(state, one, at)) left -= 1;
  if (!isReport) return;
  closeRequests(state);
  closeWhatIsDone(state, text);
}

interface Found {
  kind: IdeaKind;
  content: string;
  quote: string;
  confidence: number;
  isRemark?: true;
}

function addFound(
  state: MemoryState,
  { kind, content, quote, confidence, isRemark }: Found,
  at: Place,
): boolean {
  const opens = kind === 'todo' || kind === 'question' || kind === 'problem';
  const isOpen = opens ? { isOpen: kind !== 'problem' } : {};
  return (
    noteIdea(state, at, {
      kind,
      content,
      quote,
      evidence: isRemark ? 'remark' : 'report',
      confidence,
      ...isOpen,
    }) !== null
  );
}

interface Group {
  lead: string;
  kind: IdeaKind | null;
  items: Passage[];
}

function inReport(passages: Passage[]): Found[] {
  const found: Found[] = [];
  const rest: Passage[] = [];
  let group: Group = { lead: '', kind: null, items: [] };
  const begin = (lead: string, label: string) => {
    found.push(...ofGroup(group));
    group = { lead, kind: kindOfLabel(lead) ?? kindOfLabel(label), items: [] };
  };
  for (const passage of passages) {
    const { text, label, form, depth } = passage;
    if (form === 'heading') begin(label, label);
    else if (text.endsWith(':') && text.length < 160) begin(text.slice(0, -1), label);
    else if (form === 'bullet' && depth < 2) group.items.push(passage);
    else if (form === 'prose') {
      begin(label, label);
      const said = ofProse(passage);
      if (said === null) rest.push(passage);
      else found.push(...said);
    }
  }
  return [...found, ...ofGroup(group), ...together(rest)];
}

/** The items of a list: todos, decisions and problems each alone, what was done or found together. */
function ofGroup({ lead, kind, items }: Group): Found[] {
  if (CHECKS.test(lead)) return [];
  const telling = items.filter(({ text }) => {
    const [first = ''] = sentencesOf(text);
    return (
      isTelling(first) &&
      !isPassingCheck(first) &&
      !isProcessTalk(first) &&
      !OFFER.test(first) &&
      !text.endsWith('?')
    );
  });
  if (kind !== null && kind !== 'conclusion' && kind !== 'solution' && kind !== 'question')
    return telling.map(({ text, raw }) => ({ kind, content: excerpt(text), quote: raw, confidence: 0.8 }));
  const groups: Passage[][] = [];
  let length = LONGEST_GROUP;
  for (const item of telling) {
    const size = excerpt(item.text).length;
    if (length + size > LONGEST_GROUP) groups.push([]);
    length = length + size > LONGEST_GROUP ? size : length + size;
    groups.at(-1)?.push(item);
  }
  const name = lead === '' || (kind !== null && lead.length < 24) ? '' : `${lead}: `;
  return groups.map((group) => ({
    kind: kind === 'solution' || DONE_FIX.test(group[0]?.text ?? '') ? 'solution' : 'conclusion',
    content: name + group.map(({ text }) => excerpt(text).replace(/[.;]$/, '')).join('; '),
    quote: group[0]?.raw ?? '',
    confidence: kind === null ? 0.6 : 0.7,
  }));
}

const CHECKS =
  /\b(?:my|the|proposed) plan\b|^plan\b|^(?:current )?(?:state|status)\b|^(?:local setup|git\b|verif|validat|checks?\b|tests?\b|tested|ran\b|quality|files? (?:changed|modified)|(?:new|modified|changed) files?)/i;

/** A paragraph of a report that says itself what it is; null: it does not, none: it says nothing. */
function ofProse({ text, label, raw }: Passage): Found[] | null {
  const [first = ''] = sentencesOf(text);
  if (!isTelling(first) || isPassingCheck(first) || isProcessTalk(first) || OFFER.test(first)) return [];
  const named = label === '' ? null : kindOfLabel(label);
  if (named !== null && named !== 'question')
    return [{ kind: named, content: excerpt(text), quote: raw, confidence: 0.8 }];
  const said = sentencesOf(text)
    .map(ofSentence)
    .find((one) => one !== null);
  return said == null ? null : [{ ...said, quote: raw }];
}

/** The other paragraphs together are what came of it. */
function together(passages: Passage[]): Found[] {
  let content = '';
  for (const { text } of passages) {
    const sentences = sentencesOf(text).filter(
      (one) => isTelling(one) && !isPassingCheck(one) && !ASIDE.test(one),
    );
    for (const sentence of sentences)
      if (content.length + sentence.length < LONGEST_GROUP) content = `${content} ${sentence}`.trim();
  }
  const quote =
    passages.find(({ text }) => content.startsWith(text.slice(0, 20)))?.raw ?? passages[0]?.raw ?? '';
  return content.length < 40 ? [] : [{ kind: 'conclusion', content, quote, confidence: 0.55 }];
}

const ASIDE =
  /^(?:committed (?:as|successfully)|key files|code reference|relevant code|all edits|current state|next time|once (?:the|you|this)|you can|to (?:test|use|run|complete|see)|now\b|the (?:commit|working tree|workflow is)|confirmed from|(?:\w+ ){0,3}\bnot? (?:commit|tests?) (?:made|run)|.{0,80}\bclean status)/i;

/** A line of what the agent says while it works: only what it found. */
function onTheWay({ text, form, raw }: Passage): Found[] {
  if (form === 'heading') return [];
  const sentences = sentencesOf(text).filter(
    (one) => isTelling(one) && !isProcessTalk(one) && !isPassingCheck(one) && !/[?:]$/.test(one),
  );
  const said = sentences.map(ofSentence).find((one) => one !== null);
  if (said != null) return [{ ...said, quote: raw }];
  const finding = sentences.find((one) => one.length >= 50 && FINDING.test(one) && !DOING.test(one));
  if (finding === undefined) return [];
  const kind = FAILING.test(finding) ? 'problem' : 'conclusion';
  return [{ kind, content: finding, quote: raw, confidence: 0.45, isRemark: true }];
}

const FINDING =
  /\b(?:is|are|was|were|has|have|uses?|needs?|requires?|only|not|no|already|still|because|but|must|lacks?|missing|returns?|expects?|supports?|contains?|keeps?|means)\b.*|n['’]t\b/i;
const FAILING = /\b(?:fail(?:s|ed)|broken|reject(?:s|ed)|crash(?:es|ed)?|missing|404|stale|blocked)\b/i;
const DOING =
  /^(?:i|we|using|first|now)\b|\bstill (?:in|running|building|active)\b|\b(?:is|are) progressing\b|\bin progress\b|^(?:the )?(?:branch|commit|push|patch|edit|build|tests?|run|worker|worktree|command|file|index|bead|pr)s? (?:is|are|was|were|has|have|went|succeeded|now)\b.{0,60}$|\b(?:so|and) (?:i|we)(?:'|’)?(?:m|ll|ve|re)?\b|\b(?:is|are) (?:running|ready|done|complete|created|pushed|clean|staged|in place)\b/i;

/** A sentence that says itself what it is. */
function ofSentence(sentence: string): Omit<Found, 'quote'> | null {
  if (sentence.endsWith('?') || sentence.endsWith(':')) return null;
  for (const [kind, confidence, pattern] of SENTENCES) {
    if (!pattern.test(sentence)) continue;
    if (kind === 'context' && (sentence.length < 50 || FAILING.test(sentence))) continue;
    const isGuess = kind === 'problem' && /\b(?:likely|probably|may|might|could)\b/i.test(sentence);
    return { kind: isGuess ? 'conclusion' : kind, content: sentence, confidence };
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
  [
    'context',
    0.72,
    /\b(?:unrelated (?:to|changes|files)|not (?:related to|part of)|left (?:untouched|alone)|leave\w* .{0,40}(?:untouched|alone)|pre-existing)\b/i,
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
  /^(?:next time|once (?:the|you)|would you like|want me|do you want|should i|shall i|let me know|if you(?:'|’)d? (?:want|like)|feel free|ready (?:to|for)|you can (?:now )?|happy to|what would you|any (?:other )?questions)\b/i;

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
  const isShort = (sentences[0]?.length ?? 0) < 60;
  const next = passages[passages.indexOf(first) + 1];
  const more =
    isShort && sentences.length < 2 && next !== undefined && next.form !== 'heading'
      ? ` ${excerpt(next.text)}`
      : '';
  const answer = (sentences.slice(0, isShort ? 2 : 1).join(' ') || excerpt(first.text)) + more;
  noteIdea(state, at, {
    kind: 'conclusion',
    content: answer,
    quote: first.raw,
    evidence: 'report',
    confidence: 0.75,
    relations: [{ kind: 'answers', to: question, confidence: 0.7 }],
  });
  for (const index of state.turn.questions) closeIdea(state, index);
  state.turn.questions = [];
}

/** What the user asked for in this turn is done when the agent reports; a problem only if something was changed. */
function closeRequests(state: MemoryState): void {
  const { requests, worked } = state.turn;
  const isProblem = (index: number) =>
    state.open.some((idea) => idea.index === index && idea.kind === 'problem');
  for (const index of requests) if (worked || !isProblem(index)) closeIdea(state, index);
  state.turn.requests = requests.filter((index) => isProblem(index));
}

/** A report names what was done: steps and requests whose words it repeats are done. */
function closeWhatIsDone(state: MemoryState, text: string): void {
  const ofEarlierTurns = state.open.filter(
    ({ evidence, kind, turn }) =>
      evidence !== 'todo-list' &&
      evidence !== 'report' &&
      kind !== 'question' &&
      turn < state.turn.number &&
      (kind !== 'problem' || state.turn.worked),
  );
  if (ofEarlierTurns.length === 0) return;
  const said = keyWords(text);
  for (const { index, content } of ofEarlierTurns)
    if (overlap(keyWords(content), said) >= 0.5) closeIdea(state, index);
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
