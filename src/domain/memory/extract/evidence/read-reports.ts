import type { IdeaKind } from '../../../session/ideas.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { isTicked, type Passage, passagesOf } from '../../text/passages.ts';
import { isPassingCheck, isProcessTalk, isTelling, sentencesOf } from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';
import { addAnswer, closeRequests, closeWhatIsDone } from './finish-turn.ts';
import { kindOfLabel } from './labels.ts';
import { confidenceOf, excerpt, FAILING, ofSentence, type Told } from './tell-sentence.ts';

const MAX_IN_TEXT = 10;
/** In UTF-16 units. Shorter lists stay together: each of their items is only a detail. */
const LONGEST_GROUP = 420;

interface Report {
  text: string;
  /** Whether it ends the agent's turn; undefined if unknown. */
  closes?: boolean;
}

/** The agent's final report, and the causes and findings that it mentions along the way. */
export function addReport(state: MemoryState, { text, closes }: Report, at: Place): void {
  const passages = passagesOf(text);
  const isReport = closes ?? looksFinal(text, passages);
  const found = isReport ? inReport(passages) : passages.flatMap(onTheWay);
  if (isReport) addAnswer(state, passages, at);
  let left = MAX_IN_TEXT;
  for (const one of found) if (left > 0 && addFound(state, one, at)) left -= 1;
  if (!isReport) return;
  closeRequests(state);
  closeWhatIsDone(state, text);
}

interface Found extends Told {
  quote: string;
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

/** A list's items: todos, decisions and problems separately, results and findings together. */
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
    return telling
      .filter((one) => kind !== 'todo' || (isTask(excerpt(one.text)) && !isTicked(one)))
      .map(({ text, raw }) => ({
        kind,
        content: excerpt(text),
        quote: raw,
        confidence: confidenceOf(kind),
      }));
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
    confidence: kind === null ? CONFIDENCE.reported : CONFIDENCE.reportedUnderName,
  }));
}

const CHECKS =
  /\b(?:my|the|proposed) plan\b|^plan\b|^(?:current )?(?:state|status)\b|^(?:local setup|git\b|verif|validat|checks?\b|tests?\b|tested|ran\b|quality|files? (?:changed|modified)|(?:new|modified|changed) files?)/i;

/** A paragraph whose wording shows its kind. Null: no kind; empty: nothing worth noting. */
function ofProse({ text, label, raw }: Passage): Found[] | null {
  const [first = ''] = sentencesOf(text);
  if (!isTelling(first) || isPassingCheck(first) || isProcessTalk(first) || OFFER.test(first)) return [];
  const named = label === '' ? null : kindOfLabel(label);
  if (named === 'todo' && !isTask(excerpt(text))) return null;
  if (named !== null && named !== 'question')
    return [{ kind: named, content: excerpt(text), quote: raw, confidence: confidenceOf(named) }];
  const said = sentencesOf(text)
    .map(ofSentence)
    .find((one) => one !== null);
  return said == null ? null : [{ ...said, quote: raw }];
}

/** The remaining paragraphs together are the outcome. */
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
  return content.length < 40 ? [] : [{ kind: 'conclusion', content, quote, confidence: CONFIDENCE.outcome }];
}

const ASIDE =
  /^(?:committed (?:as|successfully)|key files|code reference|relevant code|all edits|current state|next time|once (?:the|you|this)|you can|to (?:test|use|run|complete|see)|now\b|the (?:commit|working tree|workflow is)|confirmed from|(?:\w+ ){0,3}\bnot? (?:commit|tests?) (?:made|run)|.{0,80}\bclean status)/i;

/** A line that the agent writes while it works: only findings count. */
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
  return [{ kind, content: finding, quote: raw, confidence: CONFIDENCE.remark, isRemark: true }];
}

const FINDING =
  /\b(?:is|are|was|were|has|have|uses?|needs?|requires?|only|not|no|already|still|because|but|must|lacks?|missing|returns?|expects?|supports?|contains?|keeps?|means)\b.*|n['’]t\b/i;
const DOING =
  /^(?:i|we|using|first|now)\b|\bstill (?:in|running|building|active)\b|\b(?:is|are) progressing\b|\bin progress\b|^(?:the )?(?:branch|commit|push|patch|edit|build|tests?|run|worker|worktree|command|file|index|bead|pr)s? (?:is|are|was|were|has|have|went|succeeded|now)\b.{0,60}$|\b(?:so|and) (?:i|we)(?:'|’)?(?:m|ll|ve|re)?\b|\b(?:is|are) (?:running|ready|done|complete|created|pushed|clean|staged|in place)\b/i;

const DONE_FIX = /^(?:fixed|resolved|repaired|corrected|solved)\b/i;
const OFFER =
  /^(?:next time|once (?:the|you)|would you like|want me|do you want|should i|shall i|let me know|if you(?:'|’)d? (?:want|like)|feel free|ready (?:to|for)|you can (?:now )?|happy to|what would you|any (?:other )?questions)\b/i;

/** Older versions do not mark the end of a turn. Reports contain lists, or say that all is done. */
function looksFinal(text: string, passages: Passage[]): boolean {
  if (/:\s*$/.test(text)) return false;
  const bullets = passages.filter(({ form }) => form === 'bullet').length;
  const start = text.slice(0, 200);
  return bullets >= 2 || (FINAL.test(start) && !isProcessTalk(start));
}

const FINAL =
  /^(?:all (?:\d+ )?(?:\w+ )?(?:done|clean|pass|green|tests?|changes?|good|set)|done\b|committed\b|pushed\b|here(?:'|’)?s (?:a|the) summary|summary\b|.{0,60}\b(?:is|are) (?:now )?(?:complete|done|fixed|implemented|in place))/i;
