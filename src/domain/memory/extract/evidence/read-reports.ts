import { CONFIDENCE } from '../../confidence.ts';
import { isTicked, type Passage, passagesOf, sentencesIn } from '../../text/passages.ts';
import {
  isAgreement,
  isPassingCheck,
  isProcessTalk,
  isTelling,
  keyWords,
  sentencesOf,
} from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';
import {
  addAnswer,
  closeQuestions,
  closeRequests,
  closeWhatIsDone,
  doneIn,
  leaveSteps,
} from './finish-turn.ts';
import { kindOfLabel } from './labels.ts';
import { noteDecision } from './note-decision.ts';
import {
  certaintyOf,
  excerpt,
  foundIn,
  isPossibility,
  mayState,
  quoteIn,
  type Stated,
  statedIn,
} from './stated.ts';

const MAX_IN_TEXT = 10;
/** In UTF-16 units. Shorter lists stay together: each of their items is only a detail. */
const LONGEST_GROUP = 420;
/** A last item so short stays with those before it. */
const SHORT_ITEM = 120;

interface Report {
  text: string;
  /** Whether it ends the agent's turn; undefined if unknown. */
  closes?: boolean;
}

/** The agent's final report, and what it states along the way. */
export function addReport(state: MemoryState, { text, closes }: Report, at: Place): void {
  const isReport = closes ?? looksFinal(text);
  if (!isReport) {
    const mayAnswer = closes === undefined && state.turn.questions.length > 0;
    if (!mayAnswer && !mayState(text)) return;
    const passages = passagesOf(text);
    if (mayAnswer) closeQuestions(state, passages);
    addAll(state, passages.flatMap(onTheWay), false, at);
    return;
  }
  const passages = passagesOf(text);
  const isAnswer = addAnswer(state, passages, at);
  const done = doneIn(text);
  closeWhatIsDone(state, done);
  addAll(state, inReport(passages, isAnswer), true, at);
  closeRequests(state, done);
  leaveSteps(state, text);
}

function addAll(state: MemoryState, found: Found[], isReport: boolean, at: Place): void {
  let left = MAX_IN_TEXT;
  for (const one of found) if (left > 0 && addFound(state, one, isReport, at)) left -= 1;
}

interface Found extends Stated {
  quote: string;
}

/** What a report leaves to do is open. What the agent states along the way is its work at hand. */
function addFound(state: MemoryState, found: Found, isReport: boolean, at: Place): boolean {
  const idea = { ...found, evidence: 'report' as const };
  const { kind } = found;
  if (kind === 'decision') return noteDecision(state, at, idea) !== null;
  const isLeft = kind === 'question' || (kind === 'todo' && !OPTIONAL.test(found.content));
  const isOpen = found.isOpen ?? (isReport && isLeft);
  const opens = isOpen || kind === 'todo' || kind === 'problem';
  const index = noteIdea(state, at, { ...idea, isOpen: isOpen || undefined, follows: opens });
  if (index !== null && opens && !isReport) state.turn.requests.push(index);
  if (index !== null && kind === 'question') state.turn.asked.push(index);
  return index !== null;
}

/** What may be done some day is nothing that was left. */
const OPTIONAL =
  /\b(?:can|could|may|might|optional(?:ly)?|consider|nice to have|in the future|if (?:needed|necessary|desired|issues|any|you))\b/i;

interface Group {
  lead: string;
  /** What names the kind of its items, if the lead does not. */
  label: string;
  /** The code below the lead. */
  below: string;
  items: Passage[];
}

function inReport(passages: Passage[], isAnswer: boolean): Found[] {
  const found: Found[] = [];
  const rest: Passage[] = [];
  let group: Group = { lead: '', label: '', below: '', items: [] };
  const begin = (lead: string, label: string, below = '') => {
    found.push(...ofGroup(group));
    group = { lead, label, below, items: [] };
  };
  for (const passage of passages) {
    const { text, label, form, depth, below } = passage;
    if (form === 'heading') begin(label, label);
    else if (form === 'bullet' && below !== '') {
      if (depth < 2) group.items.push({ ...passage, text: `${text} ${below}`, sentences: undefined });
    } else if (text.endsWith(':') && text.length < 160) begin(text.slice(0, -1), label, below);
    else if (form === 'bullet' && depth < 2) group.items.push(passage);
    else if (form === 'prose') {
      begin(label, label);
      const said = ofProse(passage);
      if (said === null) rest.push(passage);
      else found.push(...said);
    }
  }
  return [...found, ...ofGroup(group), ...(isAnswer ? [] : together(rest)), ...askedAtEnd(passages.at(-1))];
}

/** The question that a report ends with waits for the user. */
function askedAtEnd(last: Passage | undefined): Found[] {
  if (last === undefined || last.form === 'heading' || !last.text.endsWith('?')) return [];
  const sentences = sentencesIn(last);
  const question = sentences.at(-1) ?? '';
  // `Can you renew it?` says nothing without what comes before.
  const content = keyWords(question).size < 2 ? sentences.slice(-2).join(' ') : question;
  if (!question.endsWith('?') || !isTelling(content) || isOffer(question)) return [];
  return [
    {
      kind: 'question',
      content,
      quote: quoteIn(last.raw, content),
      confidence: CONFIDENCE.asked,
    },
  ];
}

/** Whether the agent offers to do something besides, or asks for an opinion. What is left undone waits for the user's decision. */
function isOffer(question: string): boolean {
  return FURTHER.test(question) || (OFFERED.test(question) && !UNDECIDED.test(question));
}

const FURTHER =
  /\b(?:(?:i|me to) also|let me know|(?:any|some)thing (?:else|different)|what do you think|your (?:instinct|preference|take|call|thoughts)|does (?:this|that|it) (?:approach |plan |look |sound |match |work |make |seem )|sounds? good)\b|\b(?:next|too|as well)\?/i;
const OFFERED = /\b(?:want me|like me|do you want to|ready to)\b/i;
/** One of two, or what ends the work. */
const UNDECIDED = /\bor\b|\bto (?:commit|merge|push|publish|deploy|release)\b/i;

/** A list's items: todos, decisions and problems separately, results and findings together. */
function ofGroup({ lead, label, below, items }: Group): Found[] {
  // The lead says what is left: the items are its details.
  if (lead !== '' && statedIn(lead, 'report')?.isOpen === true) {
    const details = items.map(({ text }) => excerpt(text).replace(/[.;:]$/, '')).join('; ') || below;
    const content = details === '' ? lead : `${lead}: ${details}`;
    return [{ kind: 'todo', content, quote: lead, confidence: CONFIDENCE.stated, isOpen: true }];
  }
  if (items.length === 0) return [];
  const kind = kindOfLabel(lead) ?? kindOfLabel(label);
  const said = sentencesOf(lead).at(-1) ?? '';
  if (CHECKS.test(lead) || isProcessTalk(lead)) return [];
  if ([CHECKS, CHECKOUT, AHEAD, CHOICES].some((one) => one.test(said))) return [];
  const open = kind === 'todo' ? [] : items.flatMap(leftIn);
  const telling = items.filter((item) => {
    const { text, raw } = item;
    const [first = ''] = sentencesIn(item);
    return (
      !open.some(({ quote }) => raw.includes(quote)) &&
      isTelling(first) &&
      !isPassingCheck(first) &&
      !isProcessTalk(first) &&
      !OFFER.test(first) &&
      (kind !== null || !CHECKOUT.test(first)) &&
      !text.endsWith('?')
    );
  });
  if (kind === 'todo' || kind === 'decision' || kind === 'context') {
    const named = telling.filter((one) => kind !== 'todo' || isLeftToDo(one));
    const confidence = CONFIDENCE_OF[kind];
    return [
      ...open,
      ...named.map(({ text, raw }) => ({ kind, content: excerpt(text), quote: raw, confidence })),
    ];
  }
  const groups: Passage[][] = [];
  let length = 0;
  for (const item of telling) {
    const size = excerpt(item.text).length;
    const longest = item === telling.at(-1) ? LONGEST_GROUP + SHORT_ITEM : LONGEST_GROUP;
    if (groups.length === 0 || length + size > longest) {
      groups.push([]);
      length = 0;
    }
    length += size;
    groups.at(-1)?.push(item);
  }
  const name = lead === '' || (kind !== null && lead.length < 24) ? '' : `${lead}: `;
  const together = groups.map(
    (group): Found => ({
      kind: kind === 'solution' ? kind : 'conclusion',
      content: name + group.map(({ text }) => excerpt(text).replace(/[.;:]$/, '')).join('; '),
      quote: group[0]?.raw ?? '',
      confidence: certaintyOf(lead, kind === null ? CONFIDENCE.reported : CONFIDENCE.reportedUnderName),
    }),
  );
  return [...open, ...together];
}

/** What an item says is left. */
function leftIn(item: Passage): Found[] {
  const { raw } = item;
  const said = sentencesIn(item).flatMap((one) => statedIn(one, 'report') ?? []);
  return said
    .filter(({ isOpen }) => isOpen === true)
    .map((one) => ({ ...one, quote: quoteIn(raw, one.content) }));
}

/** What follows is not done yet, or not chosen. */
const AHEAD = /\bI (?:still )?(?:need|have) to(?: \w+){0,3}$|\b(?:do you want|would you like)(?: me)? to$/i;
const CHECKS =
  /\b(?:my|the|proposed) plan\b|^plan\b|^(?:current )?(?:state|status)\b|^(?:local setup|git\b|verif|validat|checks?\b|tests?\b|tested|ran\b|quality|files? (?:changed|modified)|(?:new|modified|changed) files?)/i;

/** What nobody has chosen yet. */
const CHOICES = /^(?:\w+ ){0,4}options\b|^(?:option|alternative|approach) (?:\d|[a-d]\b)/i;

/** The state that branches and work trees are left in. */
const CHECKOUT =
  /\bwork(?:ing |-)?trees? (?:is|was|are|has|status)\b|\bfast-forwarded\b|\b(?:is|was|been) deleted locally\b|\b(?:ahead of|behind|matching|matches|relative to|up to date with) `?origin\/|\bclean status\b|\bdid not (?:delete|push|check out|commit)\b/i;

function isLeftToDo(item: Passage): boolean {
  return isTask(excerpt(item.text)) && !isTicked(item);
}

const CONFIDENCE_OF = {
  todo: CONFIDENCE.reportedTodo,
  decision: CONFIDENCE.reportedDecision,
  context: CONFIDENCE.reportedContext,
};

/** A paragraph whose wording shows its kind. Null: no kind; empty: nothing worth noting. */
function ofProse(passage: Passage): Found[] | null {
  const { text, label, raw } = passage;
  const sentences = sentencesIn(passage);
  // `Done. Removed the button.`
  const first = sentences.find((one) => isTelling(one) && !isPassingCheck(one)) ?? '';
  if (first === '' || isProcessTalk(first) || OFFER.test(first)) return [];
  const named = kindOfLabel(label);
  const content = named === null ? '' : excerpt(text);
  if (named === 'todo' || named === 'decision' || named === 'context')
    return named === 'todo' && !isTask(content)
      ? null
      : [{ kind: named, content, quote: raw, confidence: CONFIDENCE_OF[named] }];
  if (
    named === 'solution' ||
    (named === 'problem' && PROBLEM.test(label)) ||
    (named === 'conclusion' && CAUSE.test(label))
  )
    return [{ kind: named, content, quote: raw, confidence: certaintyOf(content, CONFIDENCE.stated) }];
  const said = foundIn(sentences) ?? firstStated(sentences, 'report');
  return said === null ? null : [{ ...said, quote: quoteIn(raw, said.content) }];
}

const PROBLEM = /^(?:the )?(?:problem|issue|bug|symptom)s?$/i;
const CAUSE = /\b(?:cause|reason|diagnosis|insight|recommendation)s?\b/i;

/** The remaining paragraphs together are the outcome. */
function together(passages: Passage[]): Found[] {
  let content = '';
  // What ends with the next step tells no outcome.
  const last = passages.at(-1);
  if (last === undefined || NEXT_STEP.test(sentencesIn(last).at(-1) ?? '')) return [];
  for (const passage of passages.filter((one) => !isAgreement(one.text))) {
    const sentences = sentencesIn(passage).filter(
      (one) =>
        isTelling(one.replace(LINK, '')) &&
        !isPassingCheck(one) &&
        !ASIDE.test(one) &&
        !isPossibility(one) &&
        !CHECKOUT.test(one) &&
        !CUT_OFF.test(one) &&
        !/\blet me know\b/i.test(one) &&
        !one.endsWith('?'),
    );
    for (const sentence of sentences)
      if (content.length + sentence.length < LONGEST_GROUP && (content !== '' || !REFERS_BACK.test(sentence)))
        content = `${content}${ENDED.test(content) ? '' : ';'} ${sentence}`.trim();
  }
  const quote =
    passages.find(({ text }) => content.startsWith(text.slice(0, 20)))?.raw ?? passages[0]?.raw ?? '';
  return content.length < 40 ? [] : [{ kind: 'conclusion', content, quote, confidence: CONFIDENCE.outcome }];
}

const NEXT_STEP = /^(?:now,? |first,? )?let me (?!know\b)/i;
const ENDED = /^$|[.!?:;…。！]["'”’)\]*`]{0,3}$/;
const LINK = /https?:\S+/g;
/** A sentence that lost its beginning: code, or an image. */
const CUT_OFF = /^[a-z]+ (?!\S*[/_.(])/;
/** It cannot be the first. */
const REFERS_BACK = /^(?:both|each|that|this|it|they|these|those|so|then|but|also|and|all of (?:it|them))\b/i;
const ASIDE =
  /^(?:committed\b|verified (?:with|by)\b|commit (?:created|successful|succeeded|done)|(?:the )?commit (?:is|was)\b|(?:re-?)?(?:spawned|dispatched)\b|(?:yes|no)\b.{0,12}\bthat (?:helps|works)|(?:the |all )?(?:\w+ ){0,2}workers? (?:is|are) (?:done|finished|active)|(?:the )?(?:other |remaining )?(?:\w+ ){0,3}(?:files?|changes?) (?:remain|are|were) (?:\w+ )?(?:committed|unstaged|unrelated|pre-existing|untracked)|pr (?:merged|is|link|url)?:? ?https?:|key files|code reference|relevant code|all edits|current state|next time|once (?:the|you|this)|you can|to (?:test|use|run|complete|see)|now\b|the (?:commit|working tree|workflow is)|confirmed from|(?:\w+ ){0,3}\bnot? (?:commit|tests?) (?:made|run)|.{0,80}\bclean status)/i;

/** A line that the agent writes while it works. */
function onTheWay(passage: Passage): Found[] {
  const { form, raw } = passage;
  if (form === 'heading') return [];
  const sentences = sentencesIn(passage);
  const said = foundIn(sentences) ?? firstStated(sentences, 'agent');
  return said === null ? [] : [{ ...said, quote: quoteIn(raw, said.content) }];
}

/** Whoever is still at work states nothing with an announcement or a check that passes. */
function firstStated(sentences: string[], speaker: 'agent' | 'report'): Stated | null {
  for (const one of sentences) {
    const stated = statedIn(one, speaker);
    if (stated === null) continue;
    if (speaker === 'report' || (isTelling(one) && !isProcessTalk(one) && !isPassingCheck(one)))
      return stated;
  }
  return null;
}

const OFFER =
  /^(?:next time|once (?:the|you)|would you like|want me|do you want|should i|shall i|let me know|if you(?:'|’)d? (?:want|like)|feel free|ready (?:to|for)|you can (?:now )?|happy to|what would you|any (?:other )?questions)\b/i;

/** Older versions do not mark the end of a turn. Reports contain lists, say that all is done, or ask the user. */
function looksFinal(text: string): boolean {
  if (/:\s*$/.test(text)) return false;
  const start = text.slice(0, 200);
  if (FINAL.test(start) && !isProcessTalk(start)) return true;
  if (!/[?\n]/.test(text)) return false;
  const passages = passagesOf(text);
  const bullets = passages.filter(({ form }) => form === 'bullet').length;
  return bullets >= 2 || askedAtEnd(passages.at(-1)).length > 0;
}

const FINAL =
  /^(?:all (?:\d+ )?(?:\w+ )?(?:done|clean|pass|green|tests?|changes?|good|set)|done\b|committed\b|pushed\b|here(?:'|’)?s (?:a|the) summary|summary\b|.{0,60}\b(?:is|are) (?:now )?(?:complete|done|fixed|implemented|in place))/i;
