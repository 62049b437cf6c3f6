import type { SessionRelation } from '../../../session/ideas.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { type Passage, passagesOf } from '../../text/passages.ts';
import { isTelling, keyWords, overlap, sentencesOf } from '../../text/sentences.ts';
import { isTask } from '../../text/task.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';
import { addPlan } from './read-plans.ts';

/** Longer prompts are pasted documents. */
const LONGEST_TYPED = 1800;
const MAX_IN_PROMPT = 8;

/** The user's words: an approved plan, questions, corrections, reports of problems, and requests. */
export function addPrompt(state: MemoryState, text: string, at: Place): void {
  const plan = APPROVED_PLAN.exec(text);
  if (plan !== null) {
    addPlan(state, text.slice(plan[0].length), at);
    return;
  }
  if (text.length > LONGEST_TYPED) return;
  let left = MAX_IN_PROMPT;
  for (const passage of passagesOf(text)) {
    if (passage.form === 'heading') continue;
    for (const sentence of sentencesOf(passage.text)) {
      if (left > 0 && addSentence(state, sentence, passage, at)) left -= 1;
    }
  }
}

const APPROVED_PLAN = /^\s*(?:Implement the following plan|PLEASE IMPLEMENT THIS PLAN):\s*/i;

function addSentence(state: MemoryState, sentence: string, { raw }: Passage, at: Place): boolean {
  if (!isTelling(sentence) || PASTED.test(sentence)) return false;
  const quote = raw.includes(sentence) ? sentence : raw;
  if (isQuestion(sentence)) {
    const idea = noteIdea(state, at, {
      kind: 'question',
      content: sentence,
      quote,
      evidence: 'prompt',
      confidence: CONFIDENCE.question,
      isOpen: true,
    });
    if (idea !== null) state.turn.questions.push(idea);
    return idea !== null;
  }
  if (isDirective(sentence)) {
    const kind = 'decision';
    const relations = replacedBy(state, sentence);
    return (
      noteIdea(state, at, {
        kind,
        content: sentence,
        quote,
        evidence: 'correction',
        confidence: CONFIDENCE.correction,
        relations,
      }) !== null
    );
  }
  if (REQUESTED.test(sentence) && !TRIVIAL.test(sentence) && isTask(sentence)) {
    const idea = noteIdea(state, at, {
      kind: 'todo',
      content: sentence,
      quote,
      evidence: 'prompt',
      confidence: CONFIDENCE.request,
      isOpen: true,
    });
    if (idea !== null) state.turn.requests.push(idea);
    return idea !== null;
  }
  if (PROBLEM.test(sentence) && !REQUEST.test(sentence)) {
    const idea = noteIdea(state, at, {
      kind: 'problem',
      content: sentence,
      quote,
      evidence: 'prompt',
      confidence: CONFIDENCE.complaint,
      isOpen: true,
    });
    if (idea !== null) state.turn.requests.push(idea);
    return idea !== null;
  }
  return false;
}

/** The decision that a correction revokes: the latest one that it mentions. */
function replacedBy({ decisions }: MemoryState, sentence: string): SessionRelation[] {
  if (!TAKES_BACK.test(sentence)) return [];
  const words = keyWords(sentence);
  const replaced = decisions.findLast(({ content }) => {
    const before = keyWords(content);
    return Math.min(words.size, before.size) >= 2 && overlap(words, before) >= 0.5;
  });
  return replaced === undefined ? [] : [{ kind: 'supersedes', to: replaced.index, confidence: 0.6 }];
}

const TAKES_BACK =
  /^(?:no|nope|nah|actually)\b|\b(?:instead|rather|no longer|revert|undo|not|don(?:'|’)?t|never)\b/i;

/** Whether the user asks for information rather than for work. */
function isQuestion(sentence: string): boolean {
  if (HEDGE.test(sentence)) return false;
  if (LEARN.test(sentence)) return true;
  if (STATUS.test(sentence) || REQUEST.test(sentence) || sentence.endsWith(':')) return false;
  if (/^(?:do not|don(?:'|’)?t)\b/i.test(sentence)) return false;
  if (!sentence.endsWith('?') && /^(?:when|where|which|who|whose|how)\b|\.$/i.test(sentence)) return false;
  return INTERROGATIVE.test(sentence) && sentence.split(/\s+/).length >= 4;
}

/** Hedges that go with any claim: `tell me if I'm wrong`. */
const HEDGE =
  /\b(?:if|whether|unless) (?:i(?:'|’)?m|i am|that(?:'|’)?s|that is) (?:wrong|mistaken|off|missing something)\b/i;
/** Questions in the form of a request. */
const LEARN =
  /^(?:(?:and|but|so|also|ok|then|please|now|can you|could you)[\s,]+)*(?:investigate|research|analy[sz]e|check|find out|explain|tell me|look (?:into|up)|figure out)\b.{0,60}\b(?:what|why|how|which|whether|if)\b/i;
const INTERROGATIVE =
  /^(?:(?:and|but|so|also|ok|then|hmm|wait|no|yes|i mean)[\s,]+)*(?:what|why|how|which|where|who|whose|when|is|are|was|were|do|does|did|should|has|have|isn(?:'|’)?t|aren(?:'|’)?t|doesn(?:'|’)?t|don(?:'|’)?t (?:we|you)|could (?:it|this|that|we)|can (?:it|this|that)|would (?:it|this|that|we))\b/i;
/** Questions about the state of the work. */
const STATUS =
  /\b(?:status|ready to merge|merged? (?:now|yet)|done (?:now|yet)?|finished|making progress|still running|push(?:ed)?|commit(?:ted)?)\b.{0,30}\??$|^(?:is|are) (?:it|they|this|that) (?:ready|done|ok|fine)\b/i;
const REQUEST =
  /^(?:(?:and|but|so|also|ok|then|please|now)[\s,]+)*(?:can|could|would|will|can(?:'|’)?t) (?:you|we)\b|^(?:please|pls)\b|\bplease\b/i;

/** Whether a sentence sets a rule: what must or must not happen. */
function isDirective(sentence: string): boolean {
  return !sentence.endsWith('?') && DIRECTIVE.test(sentence);
}

const DIRECTIVE =
  /^(?:no|nope|nah)(?:[,.!]|\s[—–-]|\s(?:we|i|it|that|this|you|don|not|use|keep|just)\b)\s*\S+\s+\S+|^(?:actually|instead|rather)[,\s]|\b(?:don(?:'|’)?t|do not|never|always|must(?: not)?|should(?:n(?:'|’)?t| not| only| always| be| stay| keep| use)|no need to|no longer|instead of|rather than|we (?:want|need|only|don(?:'|’)?t)|i (?:want|prefer|don(?:'|’)?t want)|let(?:'|’)?s (?:use|go with|keep|stick|drop|make)|make sure|ensure that|revert)\b|^(?:keep|use|only|stick|prefer|drop|avoid)\b/i;

/** Requests for work. */
const REQUESTED =
  /^(?:(?:and|but|so|also|ok|then|please|pls|now|next|first|can you|could you|would you|can we|we need to|i need you to|i want you to|you (?:should|need to|must))[\s,]+)*(?:add|align|allow|analy[sz]e|apply|archive|build|bump|change|check out|clean(?: up)?|close|confirm|convert|copy|create|delete|deploy|document|enable|expose|extract|fix|generate|hide|implement|improve|increase|inspect|install|integrate|investigate|log|make|mention|merge|migrate|monitor|move|open|optimi[sz]e|publish|refactor|remove|rename|render|replace|research|review|rewrite|send|set up|show|simplify|spawn|split|support|switch|test|translate|try|update|upgrade|verify|write)\b(?!\s*[,:?]?$)/i;
/** Requests that say nothing specific. */
const TRIVIAL =
  /^(?:(?:and|ok|then|please|now|can (?:you|we)|could you)[\s,]+)*(?:commit|push|continue|go on|proceed|(?:re)?try(?: it)? again|check (?:it |this )?again|merge (?:it|this|to main)|clean up|open (?:a |the )?(?:draft )?pr)\b.{0,60}$/i;

const PROBLEM =
  /\b(?:(?:doesn(?:'|’)?t|does not|isn(?:'|’)?t|is not|not|no longer|can(?:'|’)?t|cannot|won(?:'|’)?t) (?:work|show|appear|display|render|load|find|start|seem|see|open|save|updat|being|correct)\w*|fail(?:s|ed|ing|ure)?|broken|crash(?:es|ed|ing)?|error|bug|weird|wrong|missing|corrupt(?:ed)?|timed? ?out)\b/i;

/** Pasted lines of logs and code. */
const PASTED =
  /^(?:\[?\d{2,4}[-:/]|at \S+ \(|[{}<>|$#]|[^\s@]+@[^\s:~]+[:~ ]|\w+\.\w+\(|(?:error|warn|info|debug)\b\s*[:[(])/i;
